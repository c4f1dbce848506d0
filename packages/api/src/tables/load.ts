import { ApiError } from '@svc/core/errors';
import { findTableById, lockTableById, type StoredTable } from '@svc/db/tables';
import type { Context } from '../http/context.ts';

/** The table of the path as it is now. @throws ApiError `not-found` if it was dropped */
export async function loadTable(ctx: Context): Promise<StoredTable> {
  const table = await findTableById(ctx.db, ctx.table.id);
  if (table === null) throw droppedError(ctx);
  return table;
}

/**
 * The table of the path, locked until the transaction commits: a change that depends on its columns doesn't undo another
 * one that runs at the same time. @throws ApiError `not-found` if it was dropped
 */
export async function lockTable(ctx: Context): Promise<StoredTable> {
  const table = await lockTableById(ctx.db, ctx.table.id);
  if (table === null) throw droppedError(ctx);
  return table;
}

export const droppedError = (ctx: Context) =>
  new ApiError('not-found', `The table ${ctx.tableName} was dropped while this request ran.`);
