import { ApiError, invalid } from '@svc/core/errors';
import { type ColumnOption, chooseColumns, maintenanceEndpoints as endpoints } from '@svc/core/maintenance';
import type { Column } from '@svc/core/tables';
import { isFinished } from '@svc/core/writes';
import { requireNoLegalHold } from '@svc/db/drops';
import { findMaintenance, maintenanceRecord, type StoredMaintenance, submitMaintenance } from '@svc/db/maintenance';
import { findTableById } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { requireTableWork, seesRowsOf } from '../tables/table-work.ts';

const create = route(endpoints.create, async (ctx) => {
  const { kind } = ctx.table;
  if (kind !== 'managed') {
    throw new ApiError(
      'not-a-managed-table',
      `${ctx.tableName} is of kind ${kind}: only managed tables can be maintained.`,
    );
  }
  if (ctx.body.expire_snapshots_older_than_days !== undefined)
    await requireNoLegalHold(ctx.db, { id: ctx.table.id, now: ctx.now });
  const { columns } = (await findTableById(ctx.db, ctx.table.id)) ?? { columns: [] };
  const chosen = (option: ColumnOption) => requireColumns(option, ctx.body[option] ?? [], columns);
  const id = ctx.deps.newId();
  await submitMaintenance(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    tableId: ctx.table.id,
    requestedBy: ctx.caller.id,
    compact: ctx.body.compact,
    expireDays: ctx.body.expire_snapshots_older_than_days ?? null,
    sortBy: chosen('sort_by'),
    bloomFilters: chosen('bloom_filters'),
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    now: ctx.now,
  });
  return maintenanceRecord((await findMaintenance(ctx.db, id))!);
});

/** The columns as the table spells them. @throws ApiError `invalid-request` that names the first invalid one */
function requireColumns(option: ColumnOption, names: readonly string[], columns: readonly Column[]): string[] {
  const chosen = chooseColumns(option, names, columns);
  if (!chosen.ok) throw invalid({ pointer: `/${option}/${chosen.index}` }, chosen.message);
  return chosen.names;
}

const load = (ctx: Context<{ id: string }>): Promise<StoredMaintenance> =>
  requireTableWork(ctx, 'maintenance', (id) => findMaintenance(ctx.db, id));

const get = route(
  endpoints.get,
  async (ctx) => {
    const row = await ctx.waitUntilFinished({ load: () => load(ctx), isFinished });
    const record = maintenanceRecord(row);
    return (await seesRowsOf(ctx, row)) ? record : { ...record, result: null };
  },
  load,
);

export const maintenanceRoutes: Route[] = [create, get];
