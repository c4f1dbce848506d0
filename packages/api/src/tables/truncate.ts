import { ApiError } from '@svc/core/errors';
import { tableEndpoints } from '@svc/core/tables';
import { lockCatalogTables } from '@svc/db/catalog';
import { recordSnapshotSource } from '@svc/db/tables';
import { readTableMetadata, truncateTable } from '@svc/iceberg';
import { contentsOf } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { droppedError } from './load.ts';
import { requestCommit } from './request-commit.ts';
import { requireUnbound } from './require-unbound.ts';
import { wireId } from './snapshot-id.ts';

/**
 * Removes all rows of a managed table. No other commit can come between, because the table is locked: only metadata is written, so
 * the lock is short.
 */
export const truncateRoute: Route = route(tableEndpoints.truncate, async (ctx) => {
  ctx.requireUnprotected('WRITE_TABLE');
  const table = (await lockCatalogTables(ctx.db, [ctx.table.id])).get(ctx.table.id);
  if (table === undefined) throw droppedError(ctx);
  const { id, kind, metadataLocation } = table;
  if (kind !== 'managed' || metadataLocation === null)
    throw new ApiError('not-a-managed-table', `${ctx.tableName} is of kind ${kind}: svc doesn't store its rows.`);
  await requireUnbound(ctx as Context, id, 'remove its rows');
  const metadata = await readTableMetadata(ctx.deps.store, metadataLocation);
  const { rowCount, snapshotId: before } = contentsOf(metadata);
  const result = await truncateTable(requestCommit(ctx as Context, id, { metadataLocation, metadata }));
  if (!result.ok) throw new ApiError('write-conflict', `Nothing was removed: ${result.message}`);
  const { snapshotId } = result;
  const source = { tableId: id, snapshotId, principalId: ctx.caller.id, runId: ctx.caller.token.run_id, now: ctx.now };
  await recordSnapshotSource(ctx.db, source);
  const counts = { rows: rowCount, inserted: 0, updated: 0, deleted: rowCount };
  await ctx.audit({
    type: 'TABLE_WRITE',
    object: ctx.scope({ namespace: table.namespace, table: table.name }),
    detail: { table_id: id, mode: 'truncate', ...counts, snapshot_id: snapshotId, watermark: null },
  });
  return {
    table: `${table.namespace}.${table.name}`,
    deleted: rowCount,
    snapshot_id: snapshotId,
    previous_snapshot_id: before === null ? null : wireId(before),
  };
});
