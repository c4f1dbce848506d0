import type { TableState } from '../metadata/metadata.ts';
import type { CommitFailure } from '../updates/draft.ts';
import { commitTable } from './commit-table.ts';
import { removeFiles } from './snapshot-draft.ts';
import { prepareSnapshot, type SnapshotWrite } from './snapshot-writes.ts';

export type TruncateResult = ({ readonly ok: true; readonly snapshotId: number } & TableState) | CommitFailure;

/**
 * Removes all rows of a table in a new snapshot. Only metadata is written: older snapshots still need the data files. A lost swap is
 * a `conflict` and leaves no file.
 */
export async function truncateTable(
  options: Pick<SnapshotWrite, 'store' | 'now' | 'ids'> & {
    readonly current: TableState;
    readonly swap: (next: TableState, snapshotId: number) => Promise<boolean>;
  },
): Promise<TruncateResult> {
  const { current, store } = options;
  const { requirements, updates, written, snapshotId } = await prepareSnapshot({
    ...options,
    metadata: current.metadata,
    files: [],
    mode: 'replace',
    summary: { operation: 'delete' },
  });
  const result = await commitTable({
    ...options,
    requirements,
    updates,
    swap: (next) => options.swap(next, snapshotId),
  });
  if (result.ok) return { ...result, snapshotId };
  await removeFiles(store, written);
  return result;
}
