import { StorageError } from '../errors/storage-error.ts';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { FileStore } from './file-store.ts';

/**
 * Reads a file that an engine wrote, which can have any size.
 *
 * @param what the kind of file, for messages
 * @throws UnsupportedTableError for a larger file, before its contents are in memory
 */
export async function readLimited(store: FileStore, location: string, maxBytes: number, what: string): Promise<Buffer> {
  const tooLarge = () => new UnsupportedTableError(`The ${what} ${location} is larger than ${maxBytes} bytes.`);
  const file = await store.read(location, maxBytes).catch((error: unknown) => {
    throw error instanceof StorageError && error.reason === 'too-large' ? tooLarge() : error;
  });
  if (file.length > maxBytes) throw tooLarge();
  return file;
}

/** What a file may at least unpack to, whatever its own size. */
const ALWAYS_ALLOWED = 16 * 1024 * 1024;
/** Repetitive metadata and manifests compress to a twentieth, sometimes to a hundredth; only bombs go further. */
const MAX_RATIO = 300;

/** The bytes that a compressed file may unpack to: a small file isn't allowed to fill the memory. */
export const maxUnpacked = (compressed: number, max: number): number =>
  Math.min(max, Math.max(ALWAYS_ALLOWED, compressed * MAX_RATIO));
