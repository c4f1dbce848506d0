import { isBackupUnderWay } from '@svc/db/backup';
import { stagingInside } from '@svc/db/staging';
import { findTableById, legalHoldRecord, tablesInside } from '@svc/db/tables';
import { readTableMetadata, removeOrphanFiles } from '@svc/iceberg';
import type { WorkerDeps } from '../work/deps.ts';

/**
 * Removes files below a table's folder that none of its snapshots references, and returns their number. Files of tables
 * nested in the folder stay, and files that an engine stages until they are committed. While a backup copies, and while the table is under a
 * legal hold, all files stay.
 * @param before milliseconds since 1970; younger files may belong to a commit in progress
 * @throws UnsupportedTableError if the table's metadata can't be read
 */
export async function removeUnreachedFiles(
  { db, store, clock }: Pick<WorkerDeps, 'db' | 'store' | 'clock'>,
  table: { id: string; location: string | null },
  before: number,
  signal: AbortSignal,
): Promise<number> {
  if (table.location === null) return 0;
  // Before the table's metadata is read: a staging table is removed after its files are committed.
  const staged = await stagingInside(db.prisma, table.location);
  const inside = [...(await tablesInside(db.prisma, table.location)), ...staged];
  return removeOrphanFiles({
    store,
    tableLocation: table.location,
    load: async () => {
      const row = await findTableById(db.prisma, table.id);
      if (row?.metadata_location == null) return null;
      // Files of snapshots that were expired before the hold are the table's, too.
      if (legalHoldRecord(row, clock()) !== null) return null;
      const metadataLocation = row.metadata_location;
      // After the pointer is read: the rows of a backup that starts later don't name an earlier state of the table.
      if (await isBackupUnderWay(db)) return null;
      return { metadataLocation, metadata: await readTableMetadata(store, metadataLocation) };
    },
    olderThan: before,
    isRetained: ({ location }) => inside.some((folder) => location.startsWith(`${folder}/`)),
    signal,
  });
}
