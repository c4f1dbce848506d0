import type { AffectedRows } from '@svc/core/queries';
import type { StoredTable } from '@svc/db/tables';
import type { DataFileRecord, PositionDeletes, Snapshot, TableState } from '@svc/iceberg';
import type { Rewriting } from '@svc/lake/queries';
import { auditWork, recordSnapshot } from '../work/events.ts';
import type { ChangeWork } from './change-work.ts';
import { scopeOfTable } from './commit.ts';
import { commitChange } from './commit-change.ts';

/** A change of rows that is written, and the version of the table that it was made for. */
export interface ChangedRows {
  table: StoredTable;
  kind: Rewriting['kind'];
  state: TableState;
  base: Snapshot | null;
  affected: AffectedRows;
  /** Locations of the files that the new ones replace. */
  removed: ReadonlySet<string>;
  files: readonly DataFileRecord[];
  deletes: readonly PositionDeletes[];
}

/** Commits a change and finishes its work. Returns false if something else was committed to the table concurrently. */
export async function commitRows(work: ChangeWork, rows: ChangedRows): Promise<boolean> {
  const { table, kind, state, base, affected, removed, files, deletes } = rows;
  if (removed.size + files.length + deletes.length === 0 && work.alongside === undefined) {
    await work.finish(affected, null);
    return true;
  }
  return commitChange(work.deps, {
    ...{ table, state, base, removed, files, deletes },
    ...(work.alongside === undefined ? {} : { alongside: work.alongside }),
    finish: async (tx, snapshotId) => {
      await work.finish(affected, { tx, snapshotId });
      await recordSnapshot(work.deps, tx, work.origin, { tableId: table.id, snapshotId });
      const detail = {
        table_id: table.id,
        mode: kind,
        rows: affected.inserted + affected.updated + affected.deleted,
        ...affected,
        snapshot_id: snapshotId,
        watermark: work.alongside?.watermark ?? null,
      };
      const object = scopeOfTable(work.environment.name, table);
      await auditWork(work.deps, tx, work.origin, { type: 'TABLE_WRITE', object, detail });
    },
  });
}
