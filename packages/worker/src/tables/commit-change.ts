import { inTransaction, type Transaction } from '@svc/db/connection';
import { type StoredTable, swapTablePointer } from '@svc/db/tables';
import {
  commitTable,
  type DataFileRecord,
  type PositionDeletes,
  prepareRewrite,
  removeFiles,
  type Snapshot,
  type TableMetadata,
  type TableState,
  type TableUpdate,
  tableIds,
} from '@svc/iceberg';
import { pointerSwap } from '@svc/lake/tables';
import type { WorkerDeps } from '../work/deps.ts';
import { columnsOf } from './commit.ts';

/** The number of manifests of one spec at which they are merged. */
const MERGE_MANIFESTS_AT = 100;

/** Changes of a table that its project declares, in the same commit as the rows. */
export interface CommitAlongside {
  /** Of the table's schema and properties, as it is when the rows are committed. */
  updates: (metadata: TableMetadata) => readonly TableUpdate[];
  /** A branch that the commit removes, if the table has it. */
  dropBranch: string;
  columnDescriptions: Readonly<Record<string, string>>;
  watermark: string | undefined;
}

export interface ChangeCommit {
  table: StoredTable;
  /** The table as it was read. */
  state: TableState;
  base: Snapshot | null;
  /** Locations of the files that the new ones replace. */
  removed: ReadonlySet<string>;
  files: readonly DataFileRecord[];
  /** Rows that are deleted from files that stay. */
  deletes: readonly PositionDeletes[];
  alongside?: CommitAlongside;
  /** Finishes the work in the same transaction. */
  finish: (tx: Transaction, snapshotId: number) => Promise<void>;
}

/**
 * Replaces files of a table by files with changed rows, in one transaction with the work that changed them. Returns false, after
 * removing the new files, if anything was committed to the table since it was read.
 */
export async function commitChange(deps: WorkerDeps, commit: ChangeCommit): Promise<boolean> {
  const { table, state, base, removed, files, deletes, alongside, finish } = commit;
  const now = deps.clock().getTime();
  const ids = tableIds(deps);
  const discard = async (written: readonly string[]) => {
    const own = [...files, ...deletes.map(({ file }) => file)].map((file) => file.file_path);
    await removeFiles(deps.store, [...own, ...written]);
    return false;
  };
  const prepared = await prepareRewrite({
    ...{ store: deps.store, metadata: state.metadata, base, removed, files, deletes, changesRows: true },
    ...{ mergeAt: MERGE_MANIFESTS_AT, now, ids },
  });
  if (prepared === null) return discard([]);
  const result = await commitTable({
    store: deps.store,
    current: state,
    requirements: prepared.requirements,
    updates: [...prepared.updates, ...updatesAlongside(alongside, state.metadata)],
    now,
    ids,
    swap: async (next) => {
      await deps.step?.('commit.prepared');
      return inTransaction(deps.db, async (tx) => {
        const swapped = await swapTablePointer(tx, {
          ...pointerSwap(table.id, state, next),
          columns: alongside && columnsOf(next.metadata, table.columns, alongside.columnDescriptions),
          watermark: alongside?.watermark,
          now: deps.clock(),
        });
        if (swapped) await finish(tx, prepared.snapshotId);
        return swapped;
      });
    },
  });
  await deps.step?.('commit.done');
  if (result.ok) return true;
  await discard(prepared.written);
  if (result.kind === 'invalid') throw new Error(result.message);
  return false;
}

function updatesAlongside(alongside: CommitAlongside | undefined, metadata: TableMetadata): readonly TableUpdate[] {
  if (alongside === undefined) return [];
  const { updates, dropBranch } = alongside;
  return [
    ...updates(metadata),
    ...(dropBranch in metadata.refs ? [{ action: 'remove-snapshot-ref', 'ref-name': dropBranch } as const] : []),
  ];
}
