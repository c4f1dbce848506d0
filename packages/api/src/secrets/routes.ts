import { secretEndpoints as endpoints, examineValues, type Secret, type SecretUse } from '@svc/core/secrets';
import { findPackageIndex, lockPackageIndexForShare } from '@svc/db/package-indexes';
import { lockRepositoryForShare } from '@svc/db/repositories';
import {
  bindSecret,
  createSecret,
  findSecret,
  listSecrets,
  revokeSecret,
  rotateSecret,
  type SecretBinding,
  type StoredSecret,
  seal,
  secretRecord,
} from '@svc/db/secrets';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { requireRepository } from '../repositories/routes.ts';
import { auditBinding } from './naming.ts';
import { requireNoStorage, requireStorageKeys } from './of-storage.ts';
import { findStoppedConsumers } from './stopped-consumers.ts';

interface UseNames {
  index?: string | undefined;
  repository?: string | undefined;
  environment?: true | undefined;
}

interface Target extends SecretBinding {
  /** For the event: `index` or `repository` with the name. */
  named: { index?: string; repository?: string };
}

/**
 * The object that the body binds the secret to, locked against changes and removal; null for none. It is locked before the
 * secret, as by requests that change the object. @throws ApiError `not-found`
 */
async function targetOf(ctx: Context, { index, repository, environment }: UseNames): Promise<Target | null> {
  if (index !== undefined) {
    const found = await findPackageIndex(ctx.db, index);
    if (found === null)
      throw notFound('package index', index, { to: 'list the registered ones', run: 'svc index list' });
    await lockPackageIndexForShare(ctx.db, found.id);
    return { use: 'package-index', id: found.id, named: { index } };
  }
  if (repository !== undefined) {
    const { id } = await requireRepository(ctx.db, repository);
    await lockRepositoryForShare(ctx.db, id);
    return { use: 'repository', id, named: { repository } };
  }
  return environment ? { use: 'environment', id: null, named: {} } : null;
}

/** Locks the secret, so that a concurrent revocation runs either before or after this request. */
async function requireSecret(ctx: Context<{ name: string }>): Promise<StoredSecret> {
  const { name } = ctx.params;
  const found = await findSecret(ctx.db, { environmentId: ctx.environment.id, name, lock: true });
  if (found !== null) return found;
  const environment = ctx.environment.name;
  throw notFound('secret', `${name} in environment ${environment}`, {
    to: 'list them',
    run: `svc secret list --env ${environment}`,
  });
}

async function recordOf(ctx: Context, name: string): Promise<Secret> {
  return secretRecord((await findSecret(ctx.db, { environmentId: ctx.environment.id, name }))!);
}

function sealed(ctx: Context, id: string, values: Record<string, string>) {
  const row = { id, environmentId: ctx.environment.id };
  return { sealed: seal(ctx.deps.sealing, row, values, ctx.deps.random), facts: examineValues(values) };
}

const create = route(endpoints.create, async (ctx) => {
  const { name, values } = ctx.body;
  const target = await targetOf(ctx, ctx.body);
  const id = ctx.deps.newId();
  const { id: environmentId, name: environment } = ctx.environment;
  await createSecret(ctx.db, {
    id,
    environmentId,
    environment,
    name,
    ...sealed(ctx, id, values),
    binding: target,
    createdBy: ctx.caller.id,
    now: ctx.now,
  });
  const use: SecretUse | null = target?.use ?? null;
  const detail = { secret_id: id, name, use, index: null, repository: null, ...target?.named };
  await ctx.audit({ type: 'SECRET_CREATED', object: ctx.target, detail });
  return recordOf(ctx, name);
});

const list = route(endpoints.list, async (ctx) =>
  allOrPage(ctx, (await listSecrets(ctx.db, ctx.environment.id)).map(secretRecord), (secret) => [secret.name]),
);

const rotate = route(endpoints.rotate, async (ctx) => {
  const { id, name } = await requireSecret(ctx);
  await requireStorageKeys(ctx, name, ctx.body.values);
  await rotateSecret(ctx.db, { id, ...sealed(ctx, id, ctx.body.values), by: ctx.caller.id, now: ctx.now });
  await ctx.audit({ type: 'SECRET_ROTATED', object: ctx.target, detail: { secret_id: id, name } });
  return recordOf(ctx, name);
});

const bind = route(endpoints.bind, async (ctx) => {
  const target = (await targetOf(ctx, ctx.body))!;
  const secret = await requireSecret(ctx);
  if (target.use !== 'environment') await requireNoStorage(ctx, secret.name);
  const stopped = await findStoppedConsumers(ctx, secret, target);
  await bindSecret(ctx.db, { id: secret.id, binding: target, by: ctx.caller.id, now: ctx.now });
  await auditBinding(ctx, secret, { use: target.use, ...target.named });
  const bound = await recordOf(ctx, secret.name);
  return { ...bound, warnings: [...bound.warnings, ...stopped] };
});

const revoke = route(endpoints.revoke, async (ctx) => {
  const { id, name } = await requireSecret(ctx);
  await requireNoStorage(ctx, name);
  await revokeSecret(ctx.db, { id, by: ctx.caller.id, now: ctx.now });
  await ctx.audit({ type: 'SECRET_DELETED', object: ctx.target, detail: { secret_id: id, name } });
  return undefined;
});

export const secretRoutes: Route[] = [create, list, rotate, bind, revoke];
