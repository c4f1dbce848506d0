import { ApiError } from '@svc/core/errors';
import type { Context } from '../http/context.ts';

/** @throws ApiError unless rows may be loaded into the table of the path. */
export function requireManaged(ctx: Context): void {
  ctx.requireUnprotected('WRITE_TABLE');
  const { kind } = ctx.table;
  if (kind === 'managed') return;
  throw new ApiError(
    'not-a-managed-table',
    `${ctx.tableName} is of kind ${kind}: rows can only be loaded into managed tables.`,
  );
}
