import { abandonedCreations, foldersWithoutRecord, forgetCreations } from '@svc/db/drops';
import { liveLocations, liveTables } from '@svc/db/tables';
import { StorageError, type StoreRoot } from '@svc/lake/storage';
import { tableFolders, UnsupportedTableError } from '@svc/lake/tables';
import { removeUnreachedFiles } from '../tables/unreached-files.ts';
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
  let directories = 0;
  for (const root of await deps.store.roots()) {
    try {
      for (const folder of recordedBelow(root)) files += await removeUnrecorded(deps, folder, before, signal);
      directories += await countUnrecorded(deps, root, before, signal);
    } catch (error) {
      requireUnavailable(error);
    }
  }
  const unreached = await removeUnreached(deps, before, signal);
  files += unreached.files;
  files += await removeUncreated(deps, before, signal);
  await deps.store.sweepStages(before);
  return {
    files,
    directories_without_a_record: directories,
    unreadable_tables: unreached.unreadable,
  };
}

/** In storage of an environment's own nothing but its own folders is looked at: what else lies there is not ours. */
function recordedBelow({ location, environmentId }: StoreRoot): string[] {
  if (environmentId === null) return RECORDED.map((folder) => `${location}/${folder}`);
  return ['artifacts', 'views'].map((folder) => `${location}/${folder}/${environmentId}`);
}

/** An environment's storage that cannot be used keeps its files, and stops the sweep of no other. @throws others */
function requireUnavailable(error: unknown): void {
  if (!(error instanceof StorageError && error.reason === 'unavailable')) throw error;
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
  for await (const { location, modifiedAt } of store.list(folder)) {
    signal.throwIfAborted();
    if (modifiedAt >= before) continue;
    batch.push(location);
    if (batch.length === BATCH) await removeBatch();
  }
  await removeBatch();
  return removed;
}

/** Of every table; one that cannot be read keeps all its files, and stops the sweep of no other. */
async function removeUnreached(deps: Stored, before: number, signal: AbortSignal) {
  let [files, unreadable] = [0, 0];
  for await (const table of liveTables(deps.db.prisma, BATCH)) {
    signal.throwIfAborted();
    try {
      files += await removeUnreachedFiles(deps, table, before, signal);
    } catch (error) {
      if (!(error instanceof UnsupportedTableError || error instanceof StorageError)) throw error;
      unreadable += 1;
    }
  }
  return { files, unreadable };
}

/** Files of tables whose creation did not commit, unless one is so young that it may be under way still. */
async function removeUncreated({ db, store }: Stored, before: number, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (const folder of await abandonedCreations(db.prisma, { before: new Date(before), limit: BATCH })) {
    try {
      if (await hasYoung(store, folder, before)) continue;
      for (let done = false; !done; ) {
        signal.throwIfAborted();
        const batch = await store.removePrefix(folder);
        removed += batch.files;
        done = batch.done;
      }
    } catch (error) {
      // Of a storage that its environment had before: nobody can reach it.
      if (!(error instanceof StorageError && error.reason === 'outside')) {
        requireUnavailable(error);
        continue;
      }
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
async function countUnrecorded(
  { db, store }: Stored,
  { location: root, environmentId }: StoreRoot,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  const [place, depth] = environmentId === null ? [`${root}/tables`, 2] : [`${root}/tables/${environmentId}`, 1];
  let count = 0;
  for await (const batch of tableFolders(store, place, depth, BATCH)) {
    signal.throwIfAborted();
    const old = batch.filter(({ youngest }) => youngest < before).map(({ location }) => location);
    count += (await foldersWithoutRecord(db.prisma, old)).size;
  }
  return count;
}
