import type { AnyEndpoint } from '@svc/core/contract';
import { ApiError, invalid } from '@svc/core/errors';
import { checkIndexUrl, packageIndexEndpoints as endpoints, type PackageIndex } from '@svc/core/package-indexes';
import type { Transaction } from '@svc/db/connection';
import {
  createPackageIndex,
  findPackageIndex,
  listPackageIndexes,
  lockPackageIndex,
  removePackageIndex,
  updatePackageIndex,
} from '@svc/db/package-indexes';
import { removeBindings } from '@svc/db/secrets';
import type { Context } from '../http/context.ts';
import { taskRefusal } from '../http/guard/authorize.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { bindingOf, nameSecret, requireBoundSecrets, unboundSecrets } from '../secrets/naming.ts';
import { requireAnyReader } from './any-reader.ts';

/** @throws ApiError `not-found` */
async function requireIndex(client: Transaction, name: string, find = findPackageIndex): Promise<PackageIndex> {
  const index = await find(client, name);
  if (index === null) throw notFound('package index', name, { to: 'list the registered ones', run: 'svc index list' });
  return index;
}

/** Checks URL and credential together (`INDEX-9`) and returns the URL in its stored form (`INDEX-8`). */
function normalUrl(url: string, credential: string | null, pointer = '/url'): string {
  const checked = checkIndexUrl(url, { credential: credential !== null });
  if (checked.ok) return checked.url;
  throw invalid({ pointer }, `${checked.problem.message}; ${checked.problem.remedy}`);
}

/** Allows callers who manage indexes or may read any environment (`INDEX-15`), but no tasks. */
async function requireReader(ctx: Context, endpoint: Pick<AnyEndpoint, 'method' | 'path'>): Promise<void> {
  if (ctx.isTask) throw taskRefusal(ctx, endpoint);
  await requireAnyReader(ctx);
}

const create = route(endpoints.create, async (ctx) => {
  const { name, credential_secret } = ctx.body;
  const url = normalUrl(ctx.body.url, credential_secret);
  const id = ctx.deps.newId();
  const index = { id, name, url, credential_secret, createdBy: ctx.caller.id, now: ctx.now };
  const created = await createPackageIndex(ctx.db, index);
  if (credential_secret !== null) {
    await nameSecret(ctx, credential_secret, { kind: 'package-index', id, name, fresh: true });
  }
  await ctx.audit({ type: 'PACKAGE_INDEX_CREATED', detail: { name, url, credential_secret } });
  return created;
});

const list = route(
  endpoints.list,
  async (ctx) => {
    await requireReader(ctx, endpoints.list);
    return allOrPage(ctx, await listPackageIndexes(ctx.db), (index) => [index.name]);
  },
  (ctx) => requireReader(ctx, endpoints.list),
);

const get = route(
  endpoints.get,
  async (ctx) => {
    await requireReader(ctx, endpoints.get);
    return requireIndex(ctx.db, ctx.params.name);
  },
  (ctx) => requireReader(ctx, endpoints.get),
);

const update = route(endpoints.update, async (ctx) => {
  const old = await requireIndex(ctx.db, ctx.params.name, lockPackageIndex);
  const { id, name } = old;
  const credential_secret =
    ctx.body.credential_secret === undefined ? old.credential_secret : ctx.body.credential_secret;
  const field = ctx.body.url === undefined ? '/credential_secret' : '/url';
  const url = normalUrl(ctx.body.url ?? old.url, credential_secret, field);
  const previous = {
    ...(url === old.url ? {} : { url: old.url }),
    ...(credential_secret === old.credential_secret ? {} : { credential_secret: old.credential_secret }),
  };
  const changed = Object.keys(previous);
  if (changed.length === 0) {
    throw new ApiError('invalid-request', 'Nothing would change: the package index already has these values.');
  }
  const use = { kind: 'package-index' as const, id, name };
  if (url !== old.url) await requireBoundSecrets(ctx, use);
  const updated = await updatePackageIndex(ctx.db, { id, name, url, credential_secret, now: ctx.now });
  if (credential_secret !== null && changed.includes('credential_secret')) {
    await nameSecret(ctx, credential_secret, use);
  }
  await ctx.audit({ type: 'PACKAGE_INDEX_UPDATED', detail: { name, changed, url, credential_secret, previous } });
  return updated;
});

const remove = route(endpoints.delete, async (ctx) => {
  const { id, name, url } = await requireIndex(ctx.db, ctx.params.name, lockPackageIndex);
  await removePackageIndex(ctx.db, { id, by: ctx.caller.id, now: ctx.now });
  const unbound = await removeBindings(ctx.db, bindingOf({ kind: 'package-index', id, name }));
  await ctx.audit({ type: 'PACKAGE_INDEX_DELETED', detail: { name, url, ...unboundSecrets(unbound) } });
  return undefined;
});

export const packageIndexRoutes: Route[] = [create, list, get, update, remove];
