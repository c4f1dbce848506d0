import type { Table } from '@svc/core/tables';
import { boundTables } from '@svc/db/policies';
import { type StoredTable, tableRecord } from '@svc/db/tables';
import type { Context } from '../http/context.ts';

type RecordContext = Pick<Context, 'now' | 'deps' | 'db' | 'caller'>;

/**
 * The tables as responses show them. A table's size counts rows that a policy may hide, so it is omitted for callers
 * bound by one.
 */
export async function tableResponses(ctx: RecordContext, rows: readonly StoredTable[]): Promise<Table[]> {
  const counted = rows.filter((row) => row.row_count !== null || row.size_bytes !== null);
  const bound = await boundTables(ctx.db, { tableIds: counted.map(({ id }) => id), principalId: ctx.caller.id });
  return rows.map((row) => {
    const record = tableRecord(row, { now: ctx.now, warningDays: ctx.deps.settings.expiryWarningDays });
    return bound.has(row.id) ? { ...record, row_count: null, size_bytes: null } : record;
  });
}

export const tableResponse = async (ctx: RecordContext, row: StoredTable): Promise<Table> =>
  (await tableResponses(ctx, [row]))[0]!;

/** Whether a row filter or column mask of the table binds the caller, who then doesn't see its row counts. */
export async function isCallerBound(ctx: RecordContext, tableId: string): Promise<boolean> {
  return (await boundTables(ctx.db, { tableIds: [tableId], principalId: ctx.caller.id })).size > 0;
}
