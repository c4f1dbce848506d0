import { liveLocations, liveTables, tableFoldersInUse } from '@svc/db/tables';
import { findOrphanFiles } from '@svc/lake/tables';
import { readTableMetadata } from '../tables/metadata-cache.ts';
import type { WorkerDeps } from '../work/deps.ts';

/** Files that no record names are left alone this long: a writer under way has not committed them yet. */
const YOUNGEST_MS = 24 * 3_600_000;
const BATCH = 500;

type Stored = Pick<WorkerDeps, 'db' | 'store'>;

/** Folders whose files are each named by a record, or belong to nobody. */
const RECORDED = ['staged', 'results', 'bundles', 'projects', 'artifacts'] as const;

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
  return { files };
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
    const orphans = findOrphanFiles({ store, tableLocation: metadata.location, current, olderThan: before });
    for await (const { location } of orphans) if (await store.remove(location)) removed++;
  }
  return removed;
}

/** Files of a table whose creation did not commit: its folder is no table's. */
async function removeUncreated({ db, store }: Stored, before: number, signal: AbortSignal): Promise<number> {
  const root = `${store.root}/tables`;
  const youngest = new Map<string, number>();
  for await (const { location, modifiedAt } of store.list(root)) {
    signal.throwIfAborted();
    const folder = `${root}/${location
      .slice(root.length + 1)
      .split('/')
      .slice(0, 2)
      .join('/')}`;
    youngest.set(folder, Math.max(modifiedAt, youngest.get(folder) ?? 0));
  }
  const old = [...youngest].flatMap(([folder, modifiedAt]) => (modifiedAt < before ? [folder] : []));
  const used = await tableFoldersInUse(db.prisma, old);
  let removed = 0;
  for (const folder of old) {
    for (let done = used.has(folder); !done; ) {
      signal.throwIfAborted();
      const batch = await store.removePrefix(folder);
      removed += batch.files;
      done = batch.done;
    }
  }
  return removed;
}
