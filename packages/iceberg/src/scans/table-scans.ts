import type { FileStore } from '../files/file-store.ts';
import { LoadingCache } from '../metadata/loading-cache.ts';
import { formerLocations, readTableMetadata } from '../metadata/metadata-cache.ts';
import { type ScanAt, scanFiles, type TableScan } from './scan-files.ts';

/** Maximum number of data files in all cached scans, and the overhead of a scan, counted in files. */
const MAX_CACHED_FILES = 100_000;
const OF_ITSELF = 100;

const scans = new WeakMap<FileStore, LoadingCache<TableScan>>();

const nameOf = (location: string, { snapshotId }: ScanAt): string =>
  snapshotId === undefined ? location : `${location} ${snapshotId}`;

/**
 * The data files of the current snapshot of a metadata file, or of another snapshot. Metadata files never change, so a
 * cached scan stays valid until a later version of the table is read.
 */
export function readTableScan(store: FileStore, location: string, at: ScanAt = {}): Promise<TableScan> {
  const sizeOf = ({ files }: TableScan) => files.length + OF_ITSELF;
  const known = scans.get(store) ?? new LoadingCache({ maxSize: MAX_CACHED_FILES, sizeOf });
  scans.set(store, known);
  return known.get(nameOf(location, at), async () => {
    const metadata = await readTableMetadata(store, location);
    known.evict(formerLocations(metadata).map((former) => nameOf(former, at)));
    return scanFiles(store, metadata, at);
  });
}
