import type { FileStore } from '../files/file-store.ts';
import { formerLocations, readTableMetadata } from '../metadata/metadata-cache.ts';
import { Remembered } from '../metadata/remembered.ts';
import { type ScanAt, scanFiles, type TableScan } from './scan-files.ts';

/** Maximum number of data files in all cached scans, and the overhead of a scan, counted in files. */
const KEPT_FILES = 100_000;
const OF_ITSELF = 100;

const scans = new WeakMap<FileStore, Remembered<TableScan>>();

const nameOf = (location: string, { snapshotId }: ScanAt): string =>
  snapshotId === undefined ? location : `${location} ${snapshotId}`;

/**
 * The data files of the current snapshot of a metadata file, or of another snapshot. Metadata files never change, so a
 * cached scan stays valid until a later version of the table is read.
 */
export function readTableScan(store: FileStore, location: string, at: ScanAt = {}): Promise<TableScan> {
  const sizeOf = ({ files }: TableScan) => files.length + OF_ITSELF;
  const known = scans.get(store) ?? new Remembered({ maxSize: KEPT_FILES, sizeOf });
  scans.set(store, known);
  return known.get(nameOf(location, at), async () => {
    const metadata = await readTableMetadata(store, location);
    known.forget(formerLocations(metadata).map((former) => nameOf(former, at)));
    return scanFiles(store, metadata, at);
  });
}
