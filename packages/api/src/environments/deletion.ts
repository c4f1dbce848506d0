import { INSTANCE, scopeOf } from '@svc/core/access';
import { environmentEndpoints as endpoints } from '@svc/core/environments';
import { ApiError } from '@svc/core/errors';
import { type NewEvent, recordEvents } from '@svc/db/audit';
import { dropDetail, undropDetail } from '@svc/db/drops';
import {
  type DroppedTableRow,
  deleteEnvironment,
  getEnvironment,
  purgeDeleted,
  restoreEnvironment,
} from '@svc/db/environments';
import { stopWork } from '@svc/db/leases';
import type { Context } from '../http/context.ts';
import { requireEnvironment, requireExisting } from '../http/guard/authorize.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';

type EnvironmentContext = Context<{ env: string }, { purge: boolean }>;
const EVENTS_AT_ONCE = 1000;

/** A deleted environment can only be purged with the action on the instance. The denial doesn't reveal that it existed (`ACCESS-20`). */
function authorizeDelete(ctx: Context): void {
  const isDeleted = ctx.object.environment?.deleted_at != null;
  if (isDeleted && ctx.decide('MANAGE_ENVIRONMENT', INSTANCE).allowed) return;
  ctx.require('MANAGE_ENVIRONMENT');
  if (isDeleted) ctx.require('MANAGE_ENVIRONMENT', INSTANCE);
}

const remove = route(
  endpoints.delete,
  async (ctx) => {
    const { environment } = ctx.object;
    authorizeDelete(ctx);
    const purgesDeleted = environment?.deleted_at != null && ctx.query.purge;
    if (!purgesDeleted) requireExisting(ctx);
    ctx.requireDeletable();
    if (purgesDeleted) return purgeNow(ctx, environment);
    const { id, name } = ctx.environment;
    const { purge } = ctx.query;
    const deleted = await deleteEnvironment(ctx.db, {
      id,
      dropId: ctx.deps.newId(),
      purge,
      by: ctx.caller.id,
      undoDays: ctx.deps.settings.undoDays,
      now: ctx.now,
    });
    if (deleted === null) {
      // Another request deleted it first: respond as if this one came after it.
      await requireEnvironment(ctx, name);
      throw new ApiError('not-found', `The environment ${name} was deleted while this request ran.`);
    }
    await stopWork(ctx.db, { of: { environmentId: id }, now: ctx.now });
    const { tables, revokedPolicies, purgeAfter } = deleted;
    await recordAll(
      ctx,
      tables.map((table) => droppedEvent(table)),
    );
    const restorable = purgeAfter > ctx.now ? tables.filter((table) => table.purgeAfter !== null).length : 0;
    await ctx.audit({
      type: 'ENVIRONMENT_DELETED',
      object: ctx.target,
      detail: {
        tables: restorable,
        purge_after: purgeAfter.toISOString(),
        purge,
        revoked_policies: revokedPolicies,
      },
    });
    return getEnvironment(ctx.db, id);
  },
  authorizeDelete,
);

const droppedEvent = (table: DroppedTableRow) => ({
  type: 'TABLE_DROPPED' as const,
  table,
  detail: dropDetail(table, 'environment_deleted'),
});

/** Purges an environment that is already deleted: its files become due at the next sweep (`ENV-3`). */
async function purgeNow(ctx: EnvironmentContext, { id }: { id: string }) {
  const { purgeAfter } = await purgeDeleted(ctx.db, { id, now: ctx.now });
  await ctx.audit({
    type: 'ENVIRONMENT_DELETED',
    object: ctx.target,
    environmentId: id,
    detail: {
      tables: 0,
      purge_after: purgeAfter.toISOString(),
      purge: true,
      already_deleted: true,
    },
  });
  return getEnvironment(ctx.db, id);
}

const authorizeRestore = (ctx: Context) => ctx.require('MANAGE_ENVIRONMENT', INSTANCE);

const restore = route(
  endpoints.restore,
  async (ctx) => {
    authorizeRestore(ctx);
    const { environment } = ctx.object;
    if (environment === null) throw notFound('environment', ctx.params.env);
    const { id } = environment;
    const { deletedAt, tables, restoredPolicies } = await restoreEnvironment(ctx.db, { id, now: ctx.now });
    await recordAll(
      ctx,
      tables.map((table) => ({
        type: 'TABLE_UNDROPPED',
        table,
        detail: undropDetail({ ...table, droppedName: table.name, reason: 'environment_restored' }),
      })),
    );
    await ctx.audit({
      type: 'ENVIRONMENT_RESTORED',
      object: ctx.target,
      environmentId: id,
      detail: {
        tables: tables.length,
        restored_policies: restoredPolicies,
        deleted_at: deletedAt.toISOString(),
      },
    });
    return getEnvironment(ctx.db, id);
  },
  authorizeRestore,
);

interface TableEvent {
  type: NewEvent['type'];
  table: { name: string; namespace: string };
  detail: Record<string, unknown>;
}

/** Records an event for each table, in batches. */
async function recordAll(ctx: Context, events: readonly TableEvent[]): Promise<void> {
  const { environment } = ctx.object;
  const common = {
    time: ctx.now,
    principal: { id: ctx.caller.id, name: ctx.caller.name },
    environmentId: environment!.id,
    requestId: ctx.requestId,
  };
  for (let i = 0; i < events.length; i += EVENTS_AT_ONCE) {
    const batch = events.slice(i, i + EVENTS_AT_ONCE).map(({ type, table, detail }) => ({
      ...common,
      id: ctx.deps.newId(),
      type,
      object: scopeOf({ environment: environment!.name, namespace: table.namespace, table: table.name }),
      detail,
    }));
    await recordEvents(ctx.db, batch);
  }
}

export const deletionRoutes: Route[] = [remove, restore];
