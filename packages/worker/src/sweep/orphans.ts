import { isBackupUnderWay } from '@svc/db/backup';
import {
  claimAbandonedCreation,
  findAbandonedCreations,
  finishRemoval,
  foldersWithoutRecord,
  forgetCreations,
} from '@svc/db/drops';
import { liveLocations, liveTables, tablesIn } from '@svc/db/tables';
import { isWithin, type ListOptions, StorageError, UnsupportedTableError } from '@svc/iceberg';
import { isFolderFault, RECORDED_FOLDERS, type StoreRoot } from '@svc/lake/storage';
import { tableFolders } from '@svc/lake/tables';
import { removeUnreachedFiles } from '../tables/unreached-files.ts';
import type { WorkerDeps } from '../work/deps.ts';

/** Unrecorded files younger than this are left alone, because their writer may not have committed yet. */
const YOUNGEST_MS = 24 * 3_600_000;
const BATCH = 500;

/** With what reports the folders that can't be read or changed: the sweep continues with the others. */
type Stored = Pick<WorkerDeps, 'db' | 'store'> & { readonly faults: FolderFaults };

class FolderFaults {
  readonly #log: WorkerDeps['log'];
  readonly #folders = new Set<string>();
  readonly options: ListOptions = { onUnreadable: (folder, error) => this.report(folder, error) };

  constructor(log: WorkerDeps['log']) {
    this.#log = log;
  }

  get count(): number {
    return this.#folders.size;
  }

  report(folder: string, err: unknown): void {
    if (this.#folders.has(folder)) return;
    this.#folders.add(folder);
    this.#log.warn(
      { folder, err },
      "The sweep can't read or change this folder, and leaves its files. Allow the service to read, write and search it",
    );
  }

  /** @throws all errors that aren't the fault of one folder */
  require(folder: string, error: unknown): void {
    if (!isFolderFault(error)) throw error;
    this.report(folder, error);
  }
}

/**
 * Removes what killed loads, queries, deploys and commits left behind: staged files, results, logs and project archives
 * without a record, files below a table that none of its snapshots references, and tables whose creation never
 * committed.
 */
export async function removeOrphans(
  worker: Pick<WorkerDeps, 'db' | 'store' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const faults = new FolderFaults(worker.log);
  const deps = { ...worker, faults };
  const before = deps.clock().getTime() - YOUNGEST_MS;
  let files = 0;
  let directories = 0;
  for (const root of await deps.store.roots()) {
    try {
      for (const folder of recordedBelow(root)) files += await removeFoldersWithoutRecord(deps, folder, before, signal);
      directories += await countUnrecorded(deps, root, before, signal);
    } catch (error) {
      requireUnavailable(error);
    }
  }
  const unreferenced = await removeUnreferenced(deps, before, signal);
  files += unreferenced.files;
  files += await removeAbandonedCreations(deps, before, signal);
  await deps.store.sweepStages(before, faults.options);
  return {
    files,
    directories_without_a_record: directories,
    unreadable_tables: unreferenced.unreadable,
    unreadable_folders: faults.count,
  };
}

/** In an environment's own storage only the environment's folders are examined; other files there aren't ours. */
function recordedBelow({ location, environmentId }: StoreRoot): string[] {
  if (environmentId === null) return RECORDED_FOLDERS.map((folder) => `${location}/${folder}`);
  return ['artifacts', 'views'].map((folder) => `${location}/${folder}/${environmentId}`);
}

/**
 * If an environment's storage is unavailable, its files stay and the sweep continues with the others.
 * @throws all other errors
 */
function requireUnavailable(error: unknown): void {
  if (!(error instanceof StorageError && error.reason === 'unavailable')) throw error;
}

async function removeFoldersWithoutRecord(
  { db, store, faults }: Stored,
  folder: string,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  // Older versions let an engine create a table in the folder of the logs.
  const tables = await tablesIn(db.prisma, folder);
  const removeBatch = async () => {
    const live = await liveLocations(db.prisma, batch.flatMap(formsOf));
    const orphans = batch.filter((location) => !formsOf(location).some((form) => live.has(form)));
    batch = [];
    // A backup that started after the sweep has rows that name files which were replaced since.
    if (orphans.length === 0 || (await isBackupUnderWay(db))) return;
    for (const location of orphans) {
      const fault = (error: unknown) => faults.require(location.slice(0, location.lastIndexOf('/')), error);
      if (await store.remove(location).catch(fault)) removed++;
    }
  };
  for await (const { location, modifiedAt } of store.list(folder, faults.options)) {
    signal.throwIfAborted();
    if (modifiedAt >= before || tables.some((table) => isWithin(table, location))) continue;
    batch.push(location);
    if (batch.length === BATCH) await removeBatch();
  }
  await removeBatch();
  return removed;
}

/** A location as it is listed, and as its record may have it: names of artifacts escape more characters than a folder lists. */
function formsOf(location: string): string[] {
  const end = location.lastIndexOf('/') + 1;
  const name = location.slice(end);
  try {
    return [location, location.slice(0, end) + encodeURIComponent(decodeURIComponent(name))];
  } catch {
    return [location];
  }
}

/** Covers every table. If one can't be read, its files stay and the sweep continues with the others. */
async function removeUnreferenced(deps: Stored & Pick<WorkerDeps, 'clock'>, before: number, signal: AbortSignal) {
  let [files, unreadable] = [0, 0];
  for await (const table of liveTables(deps.db.prisma, BATCH)) {
    signal.throwIfAborted();
    try {
      files += await removeUnreachedFiles(deps, table, before, signal);
    } catch (error) {
      if (!(error instanceof UnsupportedTableError || error instanceof StorageError))
        deps.faults.require(table.location ?? table.id, error);
      unreadable += 1;
    }
  }
  return { files, unreadable };
}

/**
 * Removes files of tables whose creation didn't commit, unless a file is so young that the creation may still be in
 * progress.
 */
async function removeAbandonedCreations(
  { db, store, clock, faults }: Stored & Pick<WorkerDeps, 'clock'>,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const folder of await findAbandonedCreations(db.prisma, { before: new Date(before), limit: BATCH })) {
    try {
      if (await hasRecentFiles(store, folder, before)) continue;
      // An engine may commit it at this moment: then it keeps its files.
      if (!(await claimAbandonedCreation(db.prisma, { location: folder, now: clock() }))) continue;
      for (let done = false; !done; ) {
        signal.throwIfAborted();
        const batch = await store.removePrefix(folder);
        removed += batch.files;
        done = batch.done;
      }
      await finishRemoval(db.prisma, { location: folder, now: clock() });
    } catch (error) {
      // In a storage that the environment used before: it is no longer reachable.
      if (!(error instanceof StorageError && error.reason === 'outside')) {
        if (error instanceof StorageError) requireUnavailable(error);
        else faults.require(folder, error);
        continue;
      }
      await forgetCreations(db.prisma, [folder]);
    }
  }
  return removed;
}

async function hasRecentFiles(store: Stored['store'], folder: string, before: number): Promise<boolean> {
  for await (const { modifiedAt } of store.list(folder)) if (modifiedAt >= before) return true;
  return false;
}

/**
 * Counts folders without a record, such as those of tables older than the records. They are never removed
 * automatically.
 */
async function countUnrecorded(
  { db, store, faults }: Stored,
  { location: root, environmentId }: StoreRoot,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  const [folder, depth] = environmentId === null ? [`${root}/tables`, 2] : [`${root}/tables/${environmentId}`, 1];
  let count = 0;
  for await (const batch of tableFolders(store, folder, depth, BATCH, faults.options)) {
    signal.throwIfAborted();
    const old = batch.filter(({ youngest: newestAt }) => newestAt < before).map(({ location }) => location);
    count += (await foldersWithoutRecord(db.prisma, old)).size;
  }
  return count;
}
