import fs from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from './errno.ts';
import type { ObjectBody, StoredObject } from './object-store.ts';
import { StorageError } from './storage-error.ts';

/** Written at once: each write wakes a thread, which costs more than a piece of the network is worth. */
const WRITE_BYTES = 1 << 19;
const WRITE_PIECES = 1000;
/** Bytes after which what was written begins to go to disk. */
const FLUSH_EVERY = 8 << 20;

/** The path that a file is written under, the one that it gets, and the location that this is to others. */
export interface FileNames {
  readonly temporary: string;
  readonly target: string;
  readonly location: string;
}

/** Writes a new file; it gets its name once it is whole. @throws StorageError `exists` */
export async function writeFile(body: ObjectBody, names: FileNames): Promise<StoredObject> {
  const file = await fs.open(names.temporary, 'wx', 0o640);
  try {
    if (body instanceof Uint8Array) await file.writeFile(body);
    else await writePieces(file, body);
    return await nameFile(names, () => [file.sync(), syncPath(path.dirname(names.target))]);
  } finally {
    await file.close();
  }
}

/** Gives a file that others wrote its name. @throws StorageError `exists` */
export function adoptFile(names: FileNames, durable: boolean): Promise<StoredObject> {
  const { target } = names;
  return nameFile(names, () => (durable ? [syncPath(target), syncPath(path.dirname(target))] : []));
}

/**
 * Writes pieces, many at once and while the next are on their way, and has what was written brought to the disk
 * meanwhile, so that little is left to wait for at the end.
 */
async function writePieces(file: fs.FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let flushing = writing;
  let [flushed, unflushed] = [true, 0];
  let [waiting, size]: [Uint8Array[], number] = [[], 0];
  const write = async () => {
    await writing;
    writing = writeAll(file, waiting, size);
    // Met again by who waits for it.
    writing.catch(ignored);
    unflushed += size;
    [waiting, size] = [[], 0];
    if (unflushed < FLUSH_EVERY || !flushed) return;
    [flushed, unflushed] = [false, 0];
    // None follows one that fails: a disk tells of a failure once, and the next flush would hide it.
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
    // A write that comes after the file is closed could meet the next one of its number.
    await Promise.allSettled([writing, flushing]);
  }
}

const ignored = (): void => {};

async function writeAll(file: fs.FileHandle, pieces: readonly Uint8Array[], size: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  // A write may stop early, such as where the disk fills up; the next one says why.
  if (bytesWritten < size) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

/**
 * Names a file and waits for `syncs`. The file and its name reach the disk together: until both have, nobody is told of
 * them, and a file torn by a loss of power has a name that nothing refers to. Nothing stays of what fails.
 */
async function nameFile(
  { temporary, target, location }: FileNames,
  syncs: () => Promise<void>[],
): Promise<StoredObject> {
  await linkOnce(temporary, target, location);
  try {
    const [{ size, mtimeMs }] = await Promise.all([fs.stat(target), fs.unlink(temporary), ...syncs()]);
    return { location, size, modifiedAt: mtimeMs };
  } catch (error) {
    await fs.rm(target, { force: true }).catch(ignored);
    throw error;
  }
}

/** A hard link is the rename that never overwrites. */
async function linkOnce(temporary: string, target: string, location: string): Promise<void> {
  try {
    await fs.link(temporary, target);
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw new StorageError('exists', `There is already an object at ${location}.`);
    throw error;
  }
}

async function syncPath(target: string): Promise<void> {
  const handle = await fs.open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
