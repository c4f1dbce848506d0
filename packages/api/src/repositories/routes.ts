import { ApiError, invalid } from '@svc/core/errors';
import { repositoryEndpoints as endpoints, type Repository, repositoryAddress } from '@svc/core/repositories';
import type { Transaction } from '@svc/db/connection';
import {
  createRepository,
  findRepository,
  listRepositories,
  lockRepository,
  removeRepository,
  updateRepository,
} from '@svc/db/repositories';
import { removeBindings } from '@svc/db/secrets';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { bindingOf, nameSecret, requireBoundSecrets, unboundSecrets } from '../secrets/naming.ts';

/** The repository of that name. @throws ApiError `not-found` */
export async function requireRepository(client: Transaction, name: string, find = findRepository): Promise<Repository> {
  const repository = await find(client, name);
  if (repository === null)
    throw notFound('repository', name, { to: 'list the registered ones', run: 'svc repository list' });
  return repository;
}

function checkUrl(ctx: Context, url: string | null | undefined): void {
  if (url == null) return;
  const refusal = repositoryAddress(url, ctx.deps.settings.allowLocalRepositories);
  if (refusal !== null) throw invalid({ pointer: '/url' }, refusal);
}

const secretUse = ({ id, name }: { id: string; name: string }) => ({ kind: 'repository' as const, id, name });

const create = route(endpoints.create, async (ctx) => {
  checkUrl(ctx, ctx.body.url);
  const { credential_secret } = ctx.body;
  const id = ctx.deps.newId();
  const repository = await createRepository(ctx.db, { ...ctx.body, id, createdBy: ctx.caller.id, now: ctx.now });
  const { name, url, default_ref, folder } = repository;
  if (credential_secret !== null) await nameSecret(ctx, credential_secret, { ...secretUse({ id, name }), fresh: true });
  const detail = { repository_id: id, name, url, default_ref, folder, credential_secret };
  await ctx.audit({ type: 'REPOSITORY_CREATED', detail });
  return repository;
});

const list = route(endpoints.list, async (ctx) =>
  allOrPage(ctx, await listRepositories(ctx.db), (repository) => [repository.name]),
);

const get = route(endpoints.get, (ctx) => requireRepository(ctx.db, ctx.params.name));

const update = route(endpoints.update, async (ctx) => {
  const old = await requireRepository(ctx.db, ctx.params.name, lockRepository);
  checkUrl(ctx, ctx.body.url);
  const entries = Object.entries(ctx.body).filter(([key, value]) => old[key as keyof Repository] !== value);
  if (entries.length === 0)
    throw new ApiError('invalid-request', 'Nothing would change: the repository already has these values.');
  const changed = entries.map(([key]) => key);
  if (changed.includes('url')) await requireBoundSecrets(ctx, secretUse(old));
  const secret = ctx.body.credential_secret;
  if (secret != null && changed.includes('credential_secret')) await nameSecret(ctx, secret, secretUse(old));
  const repository = await updateRepository(ctx.db, { id: old.id, changes: Object.fromEntries(entries), now: ctx.now });
  const previous = Object.fromEntries(entries.map(([key]) => [key, old[key as keyof Repository]]));
  await ctx.audit({
    type: 'REPOSITORY_UPDATED',
    detail: { repository_id: old.id, name: old.name, changed, previous },
  });
  return repository;
});

const remove = route(endpoints.delete, async (ctx) => {
  const { id, name } = await requireRepository(ctx.db, ctx.params.name);
  await removeRepository(ctx.db, { id, name, by: ctx.caller.id, now: ctx.now });
  const unbound = await removeBindings(ctx.db, bindingOf(secretUse({ id, name })));
  await ctx.audit({ type: 'REPOSITORY_DELETED', detail: { repository_id: id, name, ...unboundSecrets(unbound) } });
  return undefined;
});

export const repositoryRoutes: Route[] = [create, list, get, update, remove];
