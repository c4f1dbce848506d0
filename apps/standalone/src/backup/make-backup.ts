import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openSnapshot, type Snapshot } from '@svc/db/backup';
import { fileLocation, isWithin, normalizeLocation, StorageError } from '@svc/iceberg';
import { isDiskFull, type ObjectStore } from '@svc/lake/storage';
import { BackupError, keyFingerprint, type Manifest, objectFile, pathOf, tableFile } from './contents.ts';

const AT_ONCE = 8;

export interface BackupOptions {
  url: string;
  store: ObjectStore;
  folder: string;
  key: string;
  service: string;
  now: () => Date;
}

/**
 * Copies the database and the objects, whether or not the service is running: the rows of one moment first, then every object,
 * while the sweep deletes none. Objects never change, so those that the rows refer to exist. @throws BackupError
 */
export async function makeBackup({ url, store, folder, key, service, now }: BackupOptions): Promise<Manifest> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (isWithin(store.root, fileLocation(await realpath(folder)))) {
    if (created !== undefined) await rm(created, { recursive: true });
    throw new BackupError(
      `${folder} is inside the storage ${store.root}, so it would be copied too. Choose another folder.`,
    );
  }
  if ((await readdir(folder)).length > 0) throw new BackupError(`${folder} isn't empty. Choose a new folder.`);
  const snapshot = await openSnapshot(url);
  try {
    const made_at = now().toISOString();
    const tables = await copyRows(snapshot, folder);
    const sequences = await snapshot.sequences();
    // Engines register tables with locations in other spellings than the storage lists.
    const requiredFiles = (await snapshot.neededFiles()).map(normalizeLocation);
    const roots = { storage: store.root, storages: await storagesOf(store) };
    const objects = await copyObjects({ store, roots, folder }, requiredFiles);
    const manifest: Manifest = {
      format: roots.storages.length > 0 ? 2 : 1,
      service,
      schema: snapshot.schema,
      made_at,
      ...roots,
      key: keyFingerprint(key),
      tables,
      sequences,
      objects,
    };
    const file = join(folder, 'manifest.json');
    await writeFile(`${file}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(`${file}.part`, file);
    return manifest;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const remedy = 'Free space, or choose a folder on another disk, and start the backup again with a new folder.';
    throw new BackupError(`The disk of ${folder} is full. ${remedy}`, { cause: error });
  } finally {
    await snapshot.close();
  }
}

/** Passes bytes through and computes their hash. */
function hashing(): { transform: Transform; digest: () => string } {
  const hash = createHash('sha256');
  const transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { transform, digest: () => hash.digest('hex') };
}

const target = (file: string) => createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true });

async function copyRows(snapshot: Snapshot, folder: string): Promise<Manifest['tables']> {
  await mkdir(join(folder, 'database'), { mode: 0o700 });
  const tables: Manifest['tables'] = {};
  for (const table of snapshot.tables) {
    let rows = 0;
    const lines = async function* () {
      for await (const line of snapshot.rowsOf(table)) {
        rows++;
        yield `${line}\n`;
      }
    };
    const { transform, digest } = hashing();
    await pipeline(Readable.from(lines()), createGzip(), transform, target(tableFile(folder, table)));
    tables[table] = { rows, sha256: digest() };
  }
  return tables;
}

async function storagesOf(store: ObjectStore): Promise<Manifest['storages']> {
  const roots = await store.roots();
  return roots.flatMap(({ environmentId: environment_id, location }) =>
    environment_id === null ? [] : [{ environment_id, location }],
  );
}

interface Copying {
  store: ObjectStore;
  roots: Pick<Manifest, 'storage' | 'storages'>;
  folder: string;
}

async function copyObjects(copying: Copying, requiredFiles: string[]): Promise<Manifest['objects']> {
  const { folder, roots } = copying;
  await mkdir(join(folder, 'objects'), { mode: 0o700 });
  const { transform, digest } = hashing();
  const missing = new Set(requiredFiles);
  const notCopied: string[] = [];
  let count = 0;
  let bytes = 0;
  const copies = async function* () {
    for await (const { location, copied } of inParallel(copying)) {
      if (copied === null) {
        notCopied.push(location);
        continue;
      }
      missing.delete(location);
      count++;
      bytes += copied.size;
      yield `${JSON.stringify({ path: pathOf(roots, location), ...copied })}\n`;
    }
  };
  await pipeline(Readable.from(copies()), transform, target(join(folder, 'objects.jsonl')));
  requireAllCopied(requiredFiles, missing, notCopied);
  return { count, bytes, sha256: digest() };
}

/** Temporary files of active work may disappear, but files of existing tables may not. */
function requireAllCopied(requiredFiles: string[], missing: ReadonlySet<string>, notCopied: readonly string[]): void {
  const folders = requiredFiles.map((location) => dirname(dirname(location)));
  const unavailable = [
    ...missing,
    ...notCopied.filter((location) => folders.some((folder) => location.startsWith(`${folder}/`))),
  ];
  if (unavailable.length > 0)
    throw new BackupError(
      `Files of tables were deleted while they were being copied, for example ${unavailable[0]}. Create the backup again.`,
    );
}

type Copied = { location: string; copied: { size: number; sha256: string } | null };

/** Copies several objects concurrently and yields each when it is done. */
async function* inParallel(copying: Copying): AsyncGenerator<Copied> {
  const { store, roots } = copying;
  const running: Promise<Copied>[] = [];
  for (const root of [roots.storage, ...roots.storages.map(({ location }) => location)])
    for await (const { location } of store.list(root)) {
      const copy = copyObject(copying, location);
      // A copy may fail while an earlier one is awaited. The error is thrown once this copy is awaited.
      copy.catch(() => undefined);
      running.push(copy);
      if (running.length === AT_ONCE) yield (await running.shift()) as Copied;
    }
  for (const copy of running) yield await copy;
}

async function copyObject({ store, roots, folder }: Copying, location: string): Promise<Copied> {
  const file = objectFile(folder, pathOf(roots, location));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { transform, digest } = hashing();
  let size = 0;
  transform.on('data', (chunk: Buffer) => (size += chunk.length));
  try {
    await pipeline(await store.readStream(location), transform, target(file));
  } catch (error) {
    if ((error instanceof StorageError && error.reason === 'missing') || (error as { code?: string }).code === 'ENOENT')
      return { location, copied: null };
    throw error;
  }
  return { location, copied: { size, sha256: digest() } };
}
