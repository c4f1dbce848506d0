import type { DropReason } from '@svc/core/drops';
import { type DropResult, dropDetail, dropTable, type StoredDrop, undropDetail, undropTable } from '@svc/db/drops';
import type { Context } from '../http/context.ts';

/** Drops a table and records it. Returns null if it is already dropped. */
export async function recordDrop(ctx: Context, id: string, reason: DropReason): Promise<DropResult | null> {
  const dropped = await dropTable(ctx.db, {
    id,
    dropId: ctx.deps.newId(),
    reason,
    by: ctx.caller.id,
    undoDays: ctx.deps.settings.undoDays,
    now: ctx.now,
  });
  if (dropped === null) return null;
  const object = ctx.scope({ namespace: dropped.namespace, table: dropped.name });
  await ctx.audit({ type: 'TABLE_DROPPED', object, detail: dropDetail(dropped, reason) });
  return dropped;
}

/**
 * Restores a dropped table into the namespace of the path, and records it.
 * @param name the table's new name, which may be its former one
 * @throws ApiError if it can't be restored
 */
export async function recordUndrop(ctx: Context, drop: StoredDrop, name: string): Promise<void> {
  const { id, name: droppedName, droppedAt } = drop;
  const { environment, namespace, now } = ctx;
  const undone = await undropTable(ctx.db, {
    drop,
    environment: environment.name,
    namespaceId: namespace.id,
    name,
    now,
  });
  await ctx.audit({
    type: 'TABLE_UNDROPPED',
    object: ctx.scope({ namespace: namespace.path, table: name }),
    detail: undropDetail({ id, name, droppedName, droppedAt, reason: 'user', ...undone }),
  });
}
