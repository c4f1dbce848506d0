import { gunzipSync } from 'node:zlib';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { maxUnpacked, readLimited } from '../files/read-limited.ts';
import { LoadingCache } from './loading-cache.ts';
import type { TableMetadata } from './metadata.ts';
import { MAX_METADATA_BYTES, parseMetadata } from './metadata-json.ts';

/** Bytes of metadata text cached per store. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** Overhead of an entry besides its text. */
const ENTRY_BYTES = 2048;

/** A metadata file as stored, and its parsed content. */
export interface MetadataFile {
  readonly text: Buffer;
  readonly metadata: TableMetadata;
}

const caches = new WeakMap<FileStore, LoadingCache<MetadataFile>>();

function cacheOf(store: FileStore): LoadingCache<MetadataFile> {
  const sizeOf = ({ text }: MetadataFile) => text.length + ENTRY_BYTES;
  const cache = caches.get(store) ?? new LoadingCache({ maxSize: MAX_CACHED_BYTES, sizeOf });
  caches.set(store, cache);
  return cache;
}

/** Metadata files never change, so a file that was read or written once stays valid. */
export function readMetadataFile(store: FileStore, location: string): Promise<MetadataFile> {
  const cache = cacheOf(store);
  return cache.get(location, async () => {
    const file = await fetchFile(store, location);
    cache.evict(formerLocations(file.metadata));
    return file;
  });
}

/**
 * The previous versions of a table. Each lists all earlier snapshots, so caching them would take the memory of a table
 * with many commits once for every commit.
 */
export function formerLocations(metadata: TableMetadata): string[] {
  return metadata['metadata-log'].map((entry) => entry['metadata-file']);
}

export async function readTableMetadata(store: FileStore, location: string): Promise<TableMetadata> {
  return (await readMetadataFile(store, location)).metadata;
}

/** Caches the version that a table's pointer now names, so that it needn't be read. */
export function cacheMetadata(store: FileStore, location: string, file: MetadataFile): void {
  const cache = cacheOf(store);
  cache.evict(formerLocations(file.metadata));
  void cache.put(location, Promise.resolve(file));
}

/** @throws UnsupportedTableError */
function unpacked(bytes: Buffer, location: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpacked(bytes.length, MAX_METADATA_BYTES) });
  } catch (cause) {
    throw new UnsupportedTableError(
      `The metadata file ${location} can't be decompressed: ${(cause as Error).message}.`,
    );
  }
}

async function fetchFile(store: FileStore, location: string): Promise<MetadataFile> {
  const bytes = await readLimited(store, location, MAX_METADATA_BYTES, 'metadata file');
  // Engines may compress the file. The first two bytes show this as reliably as the name.
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes, location) : bytes;
  return { text, metadata: parseMetadata(text) };
}
