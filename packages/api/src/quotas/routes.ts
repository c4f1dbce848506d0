import { ApiError } from '@svc/core/errors';
import {
  type EnvironmentQuotas,
  quotaEndpoints as endpoints,
  type OwnQuotas,
  queryLimit,
  storageLimit,
} from '@svc/core/quotas';
import { assignSlots, findQuotas, moveQueuedToWaiting, readQuotaUse, setQuotas } from '@svc/db/quotas';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';

const sourceOf = (own: unknown, limit: number | null) =>
  limit === null ? null : own === null ? ('instance' as const) : ('environment' as const);

/** The limits of an environment and their use. */
export async function quotasOf(ctx: Context, own: OwnQuotas): Promise<EnvironmentQuotas> {
  const use = await readQuotaUse(ctx.db, ctx.environment.id);
  const storage = storageLimit(own, ctx.deps.settings);
  const queries = queryLimit(own, ctx.deps.settings);
  return {
    storage_bytes: { limit: storage, source: sourceOf(own.quota_storage_bytes, storage), used: use.storageBytes },
    concurrent_queries: {
      limit: queries,
      source: sourceOf(own.quota_concurrent_queries, queries),
      used: use.queries,
      waiting: use.waiting,
    },
  };
}

const get = route(endpoints.get, (ctx) => quotasOf(ctx as Context, ctx.environment));

const set = route(endpoints.set, async (ctx) => {
  const { id: environmentId, name } = ctx.environment;
  const { storage_bytes, concurrent_queries } = ctx.body;
  const change = { environmentId, storageBytes: storage_bytes, concurrentQueries: concurrent_queries };
  const before = await setQuotas(ctx.db, change);
  if (before === null) throw new ApiError('not-found', `The environment ${name} was deleted while this request ran.`);
  await ctx.audit({
    type: 'ENVIRONMENT_QUOTAS_SET',
    object: ctx.scope(),
    detail: {
      storage_bytes,
      concurrent_queries,
      previous: {
        storage_bytes: before.quota_storage_bytes === null ? null : Number(before.quota_storage_bytes),
        concurrent_queries: before.quota_concurrent_queries,
      },
    },
  });
  const own = await findQuotas(ctx.db, environmentId);
  const limit = queryLimit(own, ctx.deps.settings);
  // This comes last, because queries submitted to the environment wait for its lock.
  if (limit !== null) await moveQueuedToWaiting(ctx.db, environmentId);
  await assignSlots(ctx.db, { environmentId, limit });
  return quotasOf(ctx as unknown as Context, own);
});

export const quotaRoutes: Route[] = [get, set];
