import { isBound } from '@svc/db/catalog';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { lockTableById, type StoredTable, swapTablePointer } from '@svc/db/tables';
import { readTableMetadata, tableIds, truncateTable } from '@svc/iceberg';
import { contentsOf, pointerSwap } from '@svc/lake/tables';
import { ChangeFailedError, droppedTable } from '../tables/change-work.ts';
import { scopeOfTable } from '../tables/commit.ts';
import { boundError } from '../tables/require-unbound.ts';
import { auditWork, recordSnapshot } from '../work/events.ts';
import { failure } from '../work/failures.ts';
import type { QueryWork } from './finish-query.ts';

type Finish = (deleted: number, tx?: Transaction) => Promise<void>;

/**
 * Removes all rows of a table. No other commit can come between, because the table is locked: only metadata is written, so the lock is
 * short.
 *
 * @throws ChangeFailedError
 */
export async function truncate(work: QueryWork, { id, namespace, name }: StoredTable, finish: Finish): Promise<void> {
  const { deps, row, claim, environment, origin, reader } = work;
  claim.signal.throwIfAborted();
  const isRefused = await inTransaction(deps.db, async (tx) => {
    const table = await lockTableById(tx, id);
    const metadataLocation = table?.metadata_location;
    if (table === null || metadataLocation == null) throw droppedTable({ namespace, table: name });
    if (await isBound(tx, { tableId: id, principalId: row.submitter_id })) return true;
    const current = { metadataLocation, metadata: await readTableMetadata(deps.store, metadataLocation) };
    const { rowCount } = contentsOf(current.metadata);
    if (row.dry_run) {
      await finish(rowCount, tx);
      return false;
    }
    const result = await truncateTable({
      store: deps.store,
      current,
      now: deps.clock().getTime(),
      ids: tableIds(deps),
      swap: async (next, snapshotId) => {
        await deps.step?.('commit.prepared');
        const swapped = await swapTablePointer(tx, { ...pointerSwap(id, current, next), now: deps.clock() });
        if (!swapped) return false;
        await finish(rowCount, tx);
        await recordSnapshot(deps, tx, origin, { tableId: id, snapshotId });
        const counts = { rows: rowCount, inserted: 0, updated: 0, deleted: rowCount };
        const detail = { table_id: id, mode: 'truncate', ...counts, snapshot_id: snapshotId, watermark: null };
        const object = scopeOfTable(environment.name, table);
        await auditWork(deps, tx, origin, { type: 'TABLE_WRITE', object, detail });
        return true;
      },
    });
    if (!result.ok) throw new ChangeFailedError(failure('write-conflict', result.message, 'Start it again.'));
    return false;
  });
  // The denial is recorded without the lock on the table.
  if (isRefused) throw await boundError(reader, { namespace, table: name });
  await deps.step?.('commit.done');
}
