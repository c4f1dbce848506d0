import { gunzipSync } from 'node:zlib';
import type { ObjectStore } from '../../storage/index.ts';
import { type TableMetadata, UnsupportedTableError } from './metadata.ts';
import { parseMetadata } from './metadata-json.ts';
import { Remembered } from './remembered.ts';

/** Bytes of metadata text kept per store. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** A larger metadata file is no table's: some kilobytes of a compressed one could fill the memory. */
const MOST_BYTES = 512 * 1024 * 1024;
/** What an entry costs beside its text. */
const ENTRY_BYTES = 2048;

/** A metadata file as it lies in the store, and what it says. */
export interface MetadataFile {
  readonly text: Buffer;
  readonly metadata: TableMetadata;
}

const caches = new WeakMap<ObjectStore, Remembered<MetadataFile>>();

function cacheOf(store: ObjectStore): Remembered<MetadataFile> {
  const sizeOf = ({ text }: MetadataFile) => text.length + ENTRY_BYTES;
  const cache = caches.get(store) ?? new Remembered({ most: KEPT_BYTES, sizeOf });
  caches.set(store, cache);
  return cache;
}

/** Metadata files never change: what was read once, or written, stays right. */
export function readMetadataFile(store: ObjectStore, location: string): Promise<MetadataFile> {
  const cache = cacheOf(store);
  return cache.get(location, async () => {
    const file = await fetchFile(store, location);
    cache.forget(formerLocations(file.metadata));
    return file;
  });
}

/**
 * The versions of a table that this one came after. Each names all snapshots of those before: kept, they would take up
 * what a table of many commits takes, as many times as it was committed to.
 */
export function formerLocations(metadata: TableMetadata): string[] {
  return metadata['metadata-log'].map((entry) => entry['metadata-file']);
}

export async function readTableMetadata(store: ObjectStore, location: string): Promise<TableMetadata> {
  return (await readMetadataFile(store, location)).metadata;
}

/** Notes what a table's pointer names from now on, so that it need not be read. */
export function rememberMetadata(store: ObjectStore, location: string, file: MetadataFile): void {
  const cache = cacheOf(store);
  cache.forget(formerLocations(file.metadata));
  void cache.put(location, Promise.resolve(file));
}

/** @throws UnsupportedTableError */
function unpacked(bytes: Buffer, location: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (cause) {
    throw new UnsupportedTableError(`The metadata file ${location} cannot be unpacked: ${(cause as Error).message}.`);
  }
}

async function fetchFile(store: ObjectStore, location: string): Promise<MetadataFile> {
  const bytes = await store.read(location);
  // Engines may compress it, which the first two bytes tell as well as the name does.
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes, location) : bytes;
  return { text, metadata: parseMetadata(text) };
}
