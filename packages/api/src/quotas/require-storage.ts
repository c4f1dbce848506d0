import { storageExceeded, storageLimit } from '@svc/core/quotas';
import { storageUsed } from '@svc/db/quotas';
import type { CatalogContext } from '../catalog/protocol/context.ts';
import type { Context } from '../http/context.ts';

/**
 * Rejects requests that add files to an environment whose storage quota is used up; without a quota it makes no
 * database query. Work that has already started continues and may exceed the quota. @throws ApiError `quota-exceeded`
 */
export async function requireStorage(ctx: Context | CatalogContext): Promise<void> {
  const { id, name } = ctx.environment;
  const limit = storageLimit(ctx.environment, ctx.deps.settings);
  if (limit === null) return;
  const used = await storageUsed(ctx.db, id);
  if (used >= limit) throw storageExceeded(name, { used, limit });
}
