import { scopeOf } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { maintenanceEndpoints as endpoints } from '@svc/core/maintenance';
import { isEnded } from '@svc/core/writes';
import { heldGrants } from '@svc/db/access';
import { findMaintenance, maintenanceRecord, type StoredMaintenance, submitMaintenance } from '@svc/db/maintenance';
import { findTableById } from '@svc/db/tables';
import { requireExisting } from '../http/authorise.ts';
import { type Context, notFound } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';

const create = route(endpoints.create, async (ctx) => {
  const { kind, name } = ctx.table;
  if (kind !== 'managed') {
    throw new Problem('not-a-managed-table', `${name} is of kind ${kind}: only managed tables are maintained.`);
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
    now: ctx.now,
  });
  return maintenanceRecord((await findMaintenance(ctx.db, id))!);
});

/** The maintenance of the path: its requester's, or of a table that the caller may read. */
async function load(ctx: Context<{ id: string }>): Promise<StoredMaintenance> {
  const found = isUuid(ctx.params.id) ? await findMaintenance(ctx.db, ctx.params.id) : null;
  const row = found !== null && found.environment_id === ctx.object.environment?.id ? found : null;
  if (row === null || row.requested_by !== ctx.caller.id) {
    const held = await heldGrants(ctx.db, {
      principalId: ctx.caller.id,
      environmentId: ctx.object.environment?.id ?? null,
    });
    const table = row === null ? null : await findTableById(ctx.db, row.table_id);
    const readable =
      table !== null &&
      ctx.decide('READ_TABLE', ctx.scope({ namespace: table.namespace, table: table.name }), held).allowed;
    // An unknown one and one of a hidden table are refused alike.
    if (!readable) ctx.require('READ_TABLE', scopeOf({ environment: ctx.asked.environment }), held);
  }
  requireExisting(ctx);
  if (row === null) throw notFound('maintenance', ctx.params.id);
  return row;
}

const get = route(
  endpoints.get,
  async (ctx) => {
    const first = await load(ctx);
    const look = () => findMaintenance(ctx.db, first.id).then((row) => row ?? first);
    const row = isEnded(first)
      ? first
      : await ctx.waitForEnd({ id: first.id, seconds: ctx.query.wait, look, ended: isEnded });
    return maintenanceRecord(row);
  },
  load,
);

export const maintenanceRoutes: Route[] = [create, get];
