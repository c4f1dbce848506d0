import { scopeOf } from '@svc/core/access';
import {
  chooseDrop,
  type DroppedTable,
  type DropReason,
  dropEndpoints as endpoints,
  undropFailure,
} from '@svc/core/drops';
import { ApiError } from '@svc/core/errors';
import { type DropResult, listDropped, listPurges, lockDrops, type StoredDrop, undropError } from '@svc/db/drops';
import type { Position } from '@svc/db/paging';
import { findTableById } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { positionOf } from '../http/response/position.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
import { droppedError } from '../tables/load.ts';
import { tableResponse } from '../tables/record.ts';
import { requireFiles } from './files.ts';
import { legalHoldRoutes } from './holds.ts';
import { recordDrop, recordUndrop } from './record-drop.ts';

const remove = route(endpoints.delete, async (ctx) => {
  ctx.requireUnprotected('DROP_TABLE');
  const reason: DropReason = ctx.query.purge ? 'purge' : 'user';
  const result = await recordDrop(ctx as Context, ctx.table.id, reason);
  if (result === null) throw droppedError(ctx as Context);
  return droppedResponse(result, reason, ctx.now);
});

function droppedResponse(dropped: DropResult, reason: DropReason, now: Date): DroppedTable {
  const { id, name, namespace, kind, purgeAfter, held } = dropped;
  return {
    name,
    namespace,
    uuid: id,
    kind,
    dropped_at: now.toISOString(),
    purge_after: purgeAfter?.toISOString() ?? null,
    restorable: undropFailure({ reason, purgeAfter, purgeStartedAt: null }, now) === null,
    reason,
    held,
  };
}

/** Requires READ_TABLE on the whole namespace, because most dropped tables no longer have a table of their name. */
function authorizeRead(ctx: Context): void {
  ctx.require('READ_TABLE');
  requireExisting(ctx);
}

/** Reads the environment, namespace and page for a list of drops. */
function dropsOf(ctx: Context<{ path: string }, { limit: number }>) {
  authorizeRead(ctx);
  const page = { limit: ctx.query.limit, after: positionOf(ctx.position<Position>()) };
  return { environmentId: ctx.environment.id, namespace: ctx.params.path, page, now: ctx.now };
}

const dropped = route(
  endpoints.listDropped,
  async (ctx) => {
    const { items, next } = await listDropped(ctx.db, dropsOf(ctx));
    return new PageResponse(items, next);
  },
  authorizeRead,
);

const purges = route(
  endpoints.purges,
  async (ctx) => {
    const { items, next } = await listPurges(ctx.db, dropsOf(ctx));
    return new PageResponse(items, next);
  },
  authorizeRead,
);

/**
 * Requires both permissions on the namespace: grants on the table are revoked by its drop, and a new table of that name is
 * a different table.
 */
function authorizeRestore(ctx: Context): void {
  const on = scopeOf({ environment: ctx.target.environment, namespace: ctx.target.namespace });
  ctx.require('DROP_TABLE', on);
  ctx.require('CREATE_TABLE', on);
}

const undrop = route(
  endpoints.undrop,
  async (ctx) => {
    authorizeRestore(ctx);
    const { environment } = ctx.object;
    const { path: namespace, name } = ctx.params;
    // Drops remain known even if their namespace no longer exists.
    const drops =
      environment === null || environment.deleted_at !== null
        ? []
        : await lockDrops(ctx.db, { environmentId: environment.id, namespace, name, id: ctx.body.id });
    if (
      environment === null ||
      environment.deleted_at !== null ||
      (drops.length === 0 && ctx.object.namespace === null)
    )
      requireExisting(ctx);
    const drop = restorable(ctx, drops);
    await requireFiles(ctx.deps.store, drop);
    await recordUndrop(ctx as Context, drop, ctx.body.new_name ?? drop.name);
    return tableResponse(ctx, (await findTableById(ctx.db, drop.id))!);
  },
  authorizeRestore,
);

/** The drop to restore. @throws ApiError if none can be restored, with the reason and the remedy */
function restorable(ctx: Context<{ path: string; name: string }>, drops: readonly StoredDrop[]): StoredDrop {
  const { path, name } = ctx.params;
  const drop = chooseDrop(drops, ctx.now);
  if (drop === null) {
    const remedy = `svc table list ${path} --dropped --env ${ctx.environment.name}`;
    throw new ApiError(
      'nothing-dropped',
      `There is no dropped table ${path}.${name} to restore: no table with this name was dropped, or its files are already deleted. Register an external table again with svc table create-external; a deploy recreates a view. To list what can be restored: ${remedy}`,
      { remedy },
    );
  }
  ctx.requireUnprotected('DROP_TABLE');
  const refusal = undropFailure(drop, ctx.now);
  if (refusal !== null) throw undropError(drop, refusal);
  if (ctx.object.namespace === null) {
    const remedy = `svc ns create ${drop.namespace} --env ${ctx.environment.name}`;
    throw new ApiError(
      'namespace-dropped',
      `The namespace ${drop.namespace} was dropped after the table. Create it again (${remedy}), then restore the table.`,
      { remedy },
    );
  }
  return drop;
}

export const dropRoutes: Route[] = [remove, dropped, purges, undrop, ...legalHoldRoutes];
