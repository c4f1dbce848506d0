import type { ObjectStore } from '@svc/lake/storage';
import { parseMetadata, type ScanAt, scanFiles, type TableMetadata, type TableScan } from '@svc/lake/tables';

const KEPT = 200;
const metadataByLocation = new WeakMap<ObjectStore, Map<string, Promise<TableMetadata>>>();
const scanByLocation = new WeakMap<ObjectStore, Map<string, Promise<TableScan>>>();

/** Metadata files never change: what was read once stays right. */
function remembered<T>(
  cache: WeakMap<ObjectStore, Map<string, Promise<T>>>,
  store: ObjectStore,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const kept = cache.get(store) ?? new Map<string, Promise<T>>();
  cache.set(store, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const fresh = read();
  kept.set(key, fresh);
  fresh.catch(() => kept.delete(key));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return fresh;
}

export function readTableMetadata(store: ObjectStore, location: string): Promise<TableMetadata> {
  return remembered(metadataByLocation, store, location, async () =>
    parseMetadata((await store.read(location)).toString()),
  );
}

/** The data files of the current snapshot, or of another one. */
export function readTableScan(store: ObjectStore, location: string, at: ScanAt = {}): Promise<TableScan> {
  const key = at.snapshotId === undefined ? location : `${location} ${at.snapshotId}`;
  return remembered(scanByLocation, store, key, async () =>
    scanFiles(store, await readTableMetadata(store, location), at),
  );
}
