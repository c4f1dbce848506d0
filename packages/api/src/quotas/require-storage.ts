import { storageExceeded, storageLimit } from '@svc/core/quotas';
import { storageUsed } from '@svc/db/quotas';
import type { CatalogContext } from '../catalog/protocol/context.ts';
import type { Context } from '../http/context.ts';

/**
 * Refuses what adds files to an environment that holds what its quota of storage allows; without one the database is not
 * asked. What is under way already goes on and may pass the limit. @throws Problem `quota-exceeded`
 */
export async function requireStorage(ctx: Context | CatalogContext): Promise<void> {
  const { id, name } = ctx.environment;
  const limit = storageLimit(ctx.environment, ctx.deps.settings);
  if (limit === null) return;
  const used = await storageUsed(ctx.db, id);
  if (used >= limit) throw storageExceeded(name, { used, limit });
}
