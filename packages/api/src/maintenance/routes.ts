import { ApiError } from '@svc/core/errors';
import { maintenanceEndpoints as endpoints } from '@svc/core/maintenance';
import { isFinished } from '@svc/core/writes';
import { findMaintenance, maintenanceRecord, type StoredMaintenance, submitMaintenance } from '@svc/db/maintenance';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { requireTableWork } from '../tables/table-work.ts';

const create = route(endpoints.create, async (ctx) => {
  const { kind } = ctx.table;
  if (kind !== 'managed') {
    throw new ApiError(
      'not-a-managed-table',
      `${ctx.tableName} is of kind ${kind}: only managed tables can be maintained.`,
    );
  }
  const id = ctx.deps.newId();
  await submitMaintenance(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    tableId: ctx.table.id,
    requestedBy: ctx.caller.id,
    compact: ctx.body.compact,
    expireDays: ctx.body.expire_snapshots_older_than_days ?? null,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    now: ctx.now,
  });
  return maintenanceRecord((await findMaintenance(ctx.db, id))!);
});

const load = (ctx: Context<{ id: string }>): Promise<StoredMaintenance> =>
  requireTableWork(ctx, 'maintenance', (id) => findMaintenance(ctx.db, id));

const get = route(
  endpoints.get,
  async (ctx) => {
    const row = await ctx.waitUntilFinished({ load: () => load(ctx), isFinished });
    return maintenanceRecord(row);
  },
  load,
);

export const maintenanceRoutes: Route[] = [create, get];
