import { invalid } from '@svc/core/errors';
import { findTableById, type StoredTable } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/response/shared-errors.ts';

/** A table of a kind that supports policies. */
export async function policyTable(ctx: Context): Promise<StoredTable> {
  const table = await findTableById(ctx.db, ctx.table.id);
  if (table === null) throw notFound('table', ctx.tableName);
  if (table.kind === 'artifact') throw invalid({ pointer: '' }, 'an artifact has no rows and no columns');
  return table;
}
