import { abandonedCreations, foldersWithoutRecord, forgetCreations } from '@svc/db/drops';
import { liveLocations, liveTables, tablesInside } from '@svc/db/tables';
import { findOrphanFiles, tableFolders } from '@svc/lake/tables';
import { readTableMetadata } from '../tables/metadata-cache.ts';
import type { WorkerDeps } from '../work/deps.ts';

/** Files that no record names are left alone this long: a writer under way has not committed them yet. */
const YOUNGEST_MS = 24 * 3_600_000;
const BATCH = 500;

type Stored = Pick<WorkerDeps, 'db' | 'store'>;

/** Folders whose files are each named by a record, or belong to nobody. */
const RECORDED = ['staged', 'results', 'bundles', 'projects', 'artifacts', 'views'] as const;

/**
 * Removes what killed loads, queries, deploys and commits left behind: staged files, results and project archives that
 * no record names, files below a table that no snapshot of it reaches, and tables that never came to be.
 */
export async function removeOrphans(
  deps: Pick<WorkerDeps, 'db' | 'store' | 'clock'>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const before = deps.clock().getTime() - YOUNGEST_MS;
  let files = 0;
  for (const folder of RECORDED) files += await removeUnrecorded(deps, folder, before, signal);
  files += await removeUnreached(deps, before, signal);
  files += await removeUncreated(deps, before, signal);
  await deps.store.sweepStages(before);
  return { files, directories_without_a_record: await countUnrecorded(deps, before, signal) };
}

async function removeUnrecorded(
  { db, store }: Stored,
  folder: string,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const removeBatch = async () => {
    const live = await liveLocations(db.prisma, batch);
    for (const location of batch) if (!live.has(location) && (await store.remove(location))) removed++;
    batch = [];
  };
  for await (const { location, modifiedAt } of store.list(`${store.root}/${folder}`)) {
    signal.throwIfAborted();
    if (modifiedAt >= before) continue;
    batch.push(location);
    if (batch.length === BATCH) await removeBatch();
  }
  await removeBatch();
  return removed;
}

async function removeUnreached({ db, store }: Stored, before: number, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const table of liveTables(db.prisma, BATCH)) {
    signal.throwIfAborted();
    const metadata = await readTableMetadata(store, table.metadata_location);
    const current = { metadata, metadataLocation: table.metadata_location };
    const inside = await tablesInside(db.prisma, table.location);
    const keep = ({ location }: { location: string }) => inside.some((folder) => location.startsWith(`${folder}/`));
    const orphans = findOrphanFiles({ store, tableLocation: table.location, current, olderThan: before, keep });
    for await (const { location } of orphans) if (await store.remove(location)) removed++;
  }
  return removed;
}

/** Files of tables whose creation did not commit, unless one is so young that it may be under way still. */
async function removeUncreated({ db, store }: Stored, before: number, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (const folder of await abandonedCreations(db.prisma, { before: new Date(before), limit: BATCH })) {
    if (await hasYoung(store, folder, before)) continue;
    for (let done = false; !done; ) {
      signal.throwIfAborted();
      const batch = await store.removePrefix(folder);
      removed += batch.files;
      done = batch.done;
    }
    await forgetCreations(db.prisma, [folder]);
  }
  return removed;
}

async function hasYoung(store: Stored['store'], folder: string, before: number): Promise<boolean> {
  for await (const { modifiedAt } of store.list(folder)) if (modifiedAt >= before) return true;
  return false;
}

/** Folders that no record names, such as of tables older than their records: counted, never removed by themselves. */
async function countUnrecorded({ db, store }: Stored, before: number, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const batch of tableFolders(store, `${store.root}/tables`, 2, BATCH)) {
    signal.throwIfAborted();
    const old = batch.filter(({ youngest }) => youngest < before).map(({ location }) => location);
    count += (await foldersWithoutRecord(db.prisma, old)).size;
  }
  return count;
}
