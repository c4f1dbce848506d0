import { scopeOf } from '@svc/core/access';
import { isUuid } from '@svc/core/ids';
import { isBoundIncludingDropped } from '@svc/db/policies';
import { findTableById } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { notFound } from '../http/response/shared-errors.ts';

/** A record of work on a table, such as a write. */
interface TableWork {
  environment_id: string;
  table_id: string;
  requested_by: string | null;
}

/**
 * The record that the path names, if the caller requested it or may read its table. `what` is its name in a 404. An
 * unknown record and one of a hidden table get the same error.
 */
export async function requireTableWork<T extends TableWork>(
  ctx: Context<{ id: string }>,
  what: string,
  find: (id: string) => Promise<T | null>,
): Promise<T> {
  const found = isUuid(ctx.params.id) ? await find(ctx.params.id) : null;
  const row = found !== null && found.environment_id === ctx.object.environment?.id ? found : null;
  if (row?.requested_by !== ctx.caller.id || !ctx.isInScope()) {
    const grants = await ctx.listGrants();
    const table = row === null ? null : await findTableById(ctx.db, row.table_id);
    const readable =
      table !== null &&
      ctx.decide('READ_TABLE', ctx.scope({ namespace: table.namespace, table: table.name }), grants).allowed;
    if (!readable) ctx.require('READ_TABLE', scopeOf({ environment: ctx.target.environment }), grants);
  }
  requireExisting(ctx);
  if (row === null) throw notFound(what, ctx.params.id);
  return row;
}

/**
 * Whether the caller may see what a record counts and quotes of its table's rows: of its own work, and of that of others if no row
 * filter or column mask on the table binds it (TABLE-8).
 */
export async function seesRowsOf(ctx: Context, { table_id: tableId, requested_by: by }: TableWork): Promise<boolean> {
  return by === ctx.caller.id || !(await isBoundIncludingDropped(ctx.db, { tableId, principalId: ctx.caller.id }));
}
