import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { StoredFile } from '@svc/iceberg';
import { isErrno } from './errno.ts';
import type { ObjectBody } from './object-store.ts';
import { exists } from './storage-errors.ts';

/** Bytes per write: each write wakes a thread, which costs more than a single network chunk is worth. */
const WRITE_BYTES = 1 << 19;
const WRITE_PIECES = 1000;
/** Number of written bytes after which a flush to disk starts. */
const FLUSH_EVERY = 8 << 20;

/** The temporary path to write to, the final path, and the location that other components see. */
export interface FileNames {
  readonly temporary: string;
  readonly target: string;
  readonly location: string;
}

/** Writes a new file, which gets its final name once it is complete. @throws StorageError `exists` */
export async function writeFile(body: ObjectBody, names: FileNames): Promise<StoredFile> {
  const file = await fs.open(names.temporary, 'wx', 0o640);
  try {
    if (body instanceof Uint8Array) await file.writeFile(body);
    else await writePieces(file, body);
    return await nameFile(names, () => [file.sync(), syncPath(path.dirname(names.target))]);
  } finally {
    await file.close();
  }
}

/** Error codes of file systems and kernels that refuse a second name for a file: another volume, too many names, another owner. */
const NO_LINK = ['EXDEV', 'EMLINK', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Adds a second name for a file that never changes, or copies the file where that isn't possible. The caller flushes the folder.
 *
 * @throws StorageError `exists`
 */
export async function linkFile(source: string, { temporary, target, location }: FileNames): Promise<void> {
  try {
    await linkOnce(source, target, location);
  } catch (error) {
    if (!isErrno(error, ...NO_LINK)) throw error;
    try {
      await fs.copyFile(source, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await adoptFile({ temporary, target, location }, true);
    } finally {
      await fs.rm(temporary, { force: true });
    }
  }
}

/** Moves an existing file to its final name. @throws StorageError `exists` */
export function adoptFile(names: FileNames, durable: boolean): Promise<StoredFile> {
  const { target } = names;
  return nameFile(names, () => (durable ? [syncPath(target), syncPath(path.dirname(target))] : []));
}

/**
 * Writes chunks in batches while the next ones arrive, and flushes concurrently, so that little remains to be flushed
 * at the end.
 */
async function writePieces(file: fs.FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let flushing = writing;
  let [flushed, unflushed] = [true, 0];
  let [waiting, size]: [Uint8Array[], number] = [[], 0];
  const write = async () => {
    await writing;
    writing = writeAll(file, waiting, size);
    // The caller that awaits the promise handles its error.
    writing.catch(ignored);
    unflushed += size;
    [waiting, size] = [[], 0];
    if (unflushed < FLUSH_EVERY || !flushed) return;
    [flushed, unflushed] = [false, 0];
    // Don't flush again after a failure: a disk reports a failure only once, and the next flush would hide it.
    flushing = file.datasync().then(() => {
      flushed = true;
    });
    flushing.catch(ignored);
  };
  try {
    for await (const piece of pieces) {
      waiting.push(piece);
      size += piece.length;
      if (size >= WRITE_BYTES || waiting.length >= WRITE_PIECES) await write();
    }
    await write();
    await Promise.all([writing, flushing]);
  } finally {
    // A write that runs after the file is closed could hit another file that reuses its descriptor.
    await Promise.allSettled([writing, flushing]);
  }
}

const ignored = (): void => {};

async function writeAll(file: fs.FileHandle, pieces: readonly Uint8Array[], size: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  // A write may be short, for example if the disk is full; the next one reports the reason.
  if (bytesWritten < size) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

/**
 * Names a file and waits for `syncs`. The file and its name are flushed together: until both are on disk, nobody learns
 * about them, and if a power loss truncates the file, nothing refers to its name. A failure leaves nothing behind.
 */
async function nameFile({ temporary, target, location }: FileNames, syncs: () => Promise<void>[]): Promise<StoredFile> {
  await linkOnce(temporary, target, location);
  try {
    const [{ size, mtimeMs }] = await Promise.all([fs.stat(target), fs.unlink(temporary), ...syncs()]);
    return { location, size, modifiedAt: mtimeMs };
  } catch (error) {
    await fs.rm(target, { force: true }).catch(ignored);
    throw error;
  }
}

/** A hard link acts as a rename that never overwrites. */
async function linkOnce(temporary: string, target: string, location: string): Promise<void> {
  try {
    await fs.link(temporary, target);
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw exists(location);
    throw error;
  }
}

export async function syncPath(target: string): Promise<void> {
  const handle = await fs.open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
