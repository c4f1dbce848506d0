import type { ObjectStore } from '@svc/lake/storage';
import { readTableMetadata, type ScanAt, scanFiles, type TableScan } from '@svc/lake/tables';

/** Data files of all scans together that are remembered, and what a scan counts besides its files. */
const KEPT_FILES = 100_000;
const OF_ITSELF = 100;

interface Scans {
  readonly known: Map<string, { readonly scan: Promise<TableScan>; size: number }>;
  size: number;
}

const scans = new WeakMap<ObjectStore, Scans>();

/**
 * The data files of the current snapshot of a metadata file, or of another one. Such files never change: what was read
 * once stays right.
 */
export function readTableScan(store: ObjectStore, location: string, at: ScanAt = {}): Promise<TableScan> {
  const kept = scans.get(store) ?? { known: new Map(), size: 0 };
  scans.set(store, kept);
  const key = at.snapshotId === undefined ? location : `${location} ${at.snapshotId}`;
  const found = kept.known.get(key);
  if (found !== undefined) {
    // The one used last goes last.
    kept.known.delete(key);
    kept.known.set(key, found);
    return found.scan;
  }
  const scan = readTableMetadata(store, location).then((metadata) => scanFiles(store, metadata, at));
  const entry = { scan, size: OF_ITSELF };
  kept.known.set(key, entry);
  kept.size += entry.size;
  scan.then(
    ({ files }) => grow(kept, key, entry, files.length),
    () => forget(kept, key, entry),
  );
  return scan;
}

type Entry = Scans['known'] extends Map<string, infer V> ? V : never;

function grow(kept: Scans, key: string, entry: Entry, files: number): void {
  if (kept.known.get(key) !== entry) return;
  entry.size += files;
  kept.size += files;
  for (const [oldest, one] of kept.known) {
    if (kept.size <= KEPT_FILES) return;
    forget(kept, oldest, one);
  }
}

function forget(kept: Scans, key: string, entry: Entry): void {
  if (kept.known.get(key) !== entry) return;
  kept.known.delete(key);
  kept.size -= entry.size;
}
