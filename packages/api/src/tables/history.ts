import { ApiError, invalid } from '@svc/core/errors';
import { tableEndpoints as endpoints } from '@svc/core/tables';
import type { StoredTable } from '@svc/db/tables';
import { commitTable, listSnapshots, readTableMetadata, rollbackTo, type TableState } from '@svc/iceberg';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { type Route, route } from '../http/route.ts';
import { loadTable } from './load.ts';
import { isCallerBound, tableResponse } from './record.ts';
import { requestCommit } from './request-commit.ts';
import { requireUnbound } from './require-unbound.ts';
import { wireId } from './snapshot-id.ts';
import { visibleWork } from './snapshot-work.ts';

/** The managed table of the path and its current metadata. */
async function load(ctx: Context): Promise<{ table: StoredTable; state: TableState }> {
  const table = await loadTable(ctx);
  const { metadata_location: metadataLocation } = table;
  if (table.kind !== 'managed' || metadataLocation === null) {
    throw new ApiError(
      'not-a-managed-table',
      `${table.namespace}.${table.name} is of kind ${table.kind}: only managed tables have snapshots.`,
    );
  }
  return { table, state: { metadataLocation, metadata: await readTableMetadata(ctx.deps.store, metadataLocation) } };
}

const snapshots = route(endpoints.snapshots, async (ctx) => {
  const { table, state } = await load(ctx);
  // Engines write row counts into the summary, also per partition, which would reveal hidden rows and their values.
  const bound = await isCallerBound(ctx, table.id);
  const madeBy = await visibleWork(ctx, table);
  const all = listSnapshots(state.metadata).map((s) => ({
    snapshot_id: wireId(s.id),
    parent_id: s.parentId === null ? null : wireId(s.parentId),
    committed_at: new Date(s.committedAt).toISOString(),
    operation: s.operation,
    summary: bound ? { operation: s.operation } : { ...s.summary },
    current: s.current,
    refs: [...s.refs],
    made_by: madeBy(s.id),
  }));
  return allOrPage(ctx, all, (s) => [-Date.parse(s.committed_at), String(s.snapshot_id)]);
});

const rollback = route(endpoints.rollback, async (ctx) => {
  ctx.requireUnprotected('WRITE_TABLE');
  const { table, state } = await load(ctx);
  await requireUnbound(ctx as Context, table.id, 'change its rows');
  const full = `${table.namespace}.${table.name}`;
  const snapshotId = BigInt(ctx.body.snapshot_id);
  const found = state.metadata.snapshots.find((s) => BigInt(s['snapshot-id']) === snapshotId);
  const change = found === undefined ? null : rollbackTo(state.metadata, found['snapshot-id']);
  if (change === null) {
    const reason =
      found === undefined ? 'is not a snapshot of' : 'is on another branch and was never the active snapshot of';
    const list = `svc table history ${full} --env ${ctx.environment.name}`;
    throw invalid({ pointer: '/snapshot_id' }, `${snapshotId} ${reason} ${full}; to list its snapshots: ${list}`, list);
  }
  const result = await commitTable({ ...requestCommit(ctx as Context, table.id, state), ...change });
  if (!result.ok) {
    throw new ApiError(
      'write-conflict',
      `${full} was changed while this request ran, so it was not rolled back. Check svc table history ${full}, and repeat the rollback if you still want it.`,
    );
  }
  await ctx.audit({
    type: 'TABLE_ROLLED_BACK',
    object: ctx.scope({ namespace: table.namespace, table: table.name }),
    detail: {
      table_id: table.id,
      snapshot_id: ctx.body.snapshot_id,
      previous_snapshot_id: wireId(state.metadata['current-snapshot-id']),
    },
  });
  return tableResponse(ctx, await loadTable(ctx as Context));
});

export const historyRoutes: Route[] = [snapshots, rollback];
