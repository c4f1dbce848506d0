import { createReadStream } from 'node:fs';
import { loadDatabase } from '@svc/db/backup';
import { isDatabaseFull } from '@svc/db/connection';
import { sealingKeys } from '@svc/db/secrets';
import { StorageError } from '@svc/iceberg';
import { isDiskFull, type ObjectStore, routedStore, type StorageOptions } from '@svc/lake/storage';
import {
  BackupError,
  keyFingerprint,
  locationOf,
  type Manifest,
  objectFile,
  objectsOf,
  readManifest,
  requireWhole,
  rowsOf,
} from './contents.ts';
import { storagesIn } from './storages.ts';

export interface RestoreOptions {
  url: string;
  /** The instance's own storage. */
  store: ObjectStore;
  /** How to reach the buckets of environments with their own storage. */
  storage: StorageOptions;
  folder: string;
  /** The current key and the previous ones. */
  keys: readonly string[];
}

/**
 * Restores a backup to an empty database and storage: the objects first, each checked, then all rows at once. A killed
 * restore resumes when it is repeated. @throws BackupError, RestoreError, MigrationError
 */
export async function restoreBackup({
  url,
  store: instance,
  storage,
  folder,
  keys,
}: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest.storage !== instance.root)
    throw new BackupError(
      `The backup is of the storage ${manifest.storage}, but this one is ${instance.root}. Tables refer to their files by full location, so set SVC_STORAGE__LOCATION (or SVC_HOME) to its original value.`,
    );
  if (!keys.some((key) => keyFingerprint(key) === manifest.key))
    throw new BackupError(
      "The secrets key isn't the one of the backup, so it can't decrypt the secrets. Set SVC_SECRETS__KEY to its original value, or restore secrets.key.",
    );
  const store = await storeOf({ instance, storage, keys, folder }, manifest);
  await requireNoOthers(store, folder, manifest);
  try {
    await writeAll({ url, store, folder }, manifest);
  } catch (error) {
    const full = isDiskFull(error)
      ? `of the storage ${manifest.storage}`
      : isDatabaseFull(error)
        ? 'of the database'
        : null;
    if (full === null) throw error;
    const remedy = 'Free space, and start the restore again: it continues.';
    throw new BackupError(`The disk ${full} is full. ${remedy}`, { cause: error });
  }
  return manifest;
}

async function writeAll(
  { url, store, folder }: { url: string; store: ObjectStore; folder: string },
  manifest: Manifest,
): Promise<void> {
  for await (const { path, size, sha256 } of objectsOf(folder, manifest)) {
    const file = objectFile(folder, path);
    await requireWhole(file, sha256);
    await put(store, locationOf(manifest, path), file, size);
  }
  const tables = Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]));
  const { schema, sequences } = manifest;
  await loadDatabase(url, { schema, tables, sequences, rowsOf: (table) => rowsOf(folder, manifest, table) });
}

/** The instance's storage and, with the keys in the backup's rows, that of environments. */
async function storeOf(
  {
    instance,
    storage,
    keys,
    folder,
  }: { instance: ObjectStore; storage: StorageOptions; keys: readonly string[]; folder: string },
  manifest: Manifest,
): Promise<ObjectStore> {
  if (manifest.storages.length === 0) return instance;
  const [current, ...old] = keys;
  return routedStore(instance, storage, await storagesIn(folder, manifest, sealingKeys(current!, old)));
}

/** Existing files may only come from an interrupted restore. */
async function requireNoOthers(store: ObjectStore, folder: string, manifest: Manifest): Promise<void> {
  const known = new Set<string>();
  for await (const { path } of objectsOf(folder, manifest)) known.add(locationOf(manifest, path));
  for (const root of [manifest.storage, ...manifest.storages.map(({ location }) => location)])
    for await (const { location } of store.list(root)) {
      if (!known.has(location))
        throw new BackupError(`The storage ${root} isn't empty: it contains ${location}, which isn't in the backup.`);
    }
}

async function put(store: ObjectStore, location: string, file: string, size: number): Promise<void> {
  try {
    await store.write(location, createReadStream(file));
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'exists') throw error;
    // Objects become visible when complete: one of this size is this one.
    if ((await store.stat(location))?.size !== size)
      throw new BackupError(`${location} already exists with different content.`);
  }
}
