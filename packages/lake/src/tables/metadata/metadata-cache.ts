import { gunzipSync } from 'node:zlib';
import type { ObjectStore } from '../../storage/index.ts';
import { type TableMetadata, UnsupportedTableError } from './metadata.ts';
import { parseMetadata } from './metadata-json.ts';

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

interface Cache {
  readonly files: Map<string, Promise<MetadataFile>>;
  readonly sizes: Map<string, number>;
  bytes: number;
}

const caches = new WeakMap<ObjectStore, Cache>();

/** Metadata files never change: what was read once, or written, stays right. */
export function readMetadataFile(store: ObjectStore, location: string): Promise<MetadataFile> {
  const cache = cacheOf(store);
  const known = cache.files.get(location);
  if (known !== undefined) {
    // The one used last goes last.
    cache.files.delete(location);
    cache.files.set(location, known);
    return known;
  }
  const fresh = fetchFile(store, location);
  cache.files.set(location, fresh);
  fresh.then(
    ({ text }) => account(cache, location, text.length),
    () => cache.files.delete(location),
  );
  return fresh;
}

export async function readTableMetadata(store: ObjectStore, location: string): Promise<TableMetadata> {
  return (await readMetadataFile(store, location)).metadata;
}

/** Notes what was just written there, so that it need not be read. */
export function rememberMetadata(store: ObjectStore, location: string, file: MetadataFile): void {
  const cache = cacheOf(store);
  cache.files.set(location, Promise.resolve(file));
  account(cache, location, file.text.length);
}

function cacheOf(store: ObjectStore): Cache {
  const cache = caches.get(store) ?? { files: new Map(), sizes: new Map(), bytes: 0 };
  caches.set(store, cache);
  return cache;
}

function account(cache: Cache, location: string, size: number): void {
  if (!cache.files.has(location) || cache.sizes.has(location)) return;
  cache.sizes.set(location, size + ENTRY_BYTES);
  cache.bytes += size + ENTRY_BYTES;
  for (const oldest of cache.files.keys()) {
    if (cache.bytes <= KEPT_BYTES) return;
    cache.files.delete(oldest);
    cache.bytes -= cache.sizes.get(oldest) ?? 0;
    cache.sizes.delete(oldest);
  }
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
