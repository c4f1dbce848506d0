import type { FileStore } from '../files/file-store.ts';
import { PATH_PROPERTIES } from '../maintenance/own-files.ts';
import type { DataFileRecord } from '../manifests/manifests.ts';
import { currentSchema, snapshotOfRef, type TableMetadata } from '../metadata/metadata.ts';
import { nameMappingOf } from '../metadata/name-mapping.ts';
import {
  describeFiles,
  type FileReadOptions,
  requireNoneInside,
  type ScanFile,
  scanFilesOf,
} from '../scans/scan-files.ts';

/** The data files of a table's current snapshot, by what a clone does with them. */
export type ClonedFiles = {
  /** Files whose rows are all live: the clone needs a copy of each. */
  readonly whole: readonly DataFileRecord[];
  /** Files with deletes, which name them by their location: the clone needs their live rows. */
  readonly reduced: readonly ScanFile[];
  readonly reading: FileReadOptions;
};

/**
 * The data files that a clone of the table consists of. Row ids are the clone's own (format version 3).
 *
 * @param inside folders of other tables inside the table's folder
 * @throws UnsupportedTableError for files that this service doesn't read
 */
export async function filesToClone(
  store: FileStore,
  metadata: TableMetadata,
  inside: readonly string[],
): Promise<ClonedFiles> {
  const head = snapshotOfRef(metadata, 'main');
  const placed = await describeFiles(store, metadata, head, currentSchema(metadata));
  const scanned = scanFilesOf(placed);
  requireNoneInside(scanned, inside);
  const reduced = scanned.filter(({ deletes }) => deletes.length > 0);
  const paths = new Set(reduced.map(({ location }) => location));
  const whole = placed
    .filter(({ data_file: { content, file_path } }) => content === 0 && !paths.has(file_path))
    .map(({ data_file, tuple, specId, sameColumns }) => ({
      ...data_file,
      partition: tuple,
      spec_id: specId,
      first_row_id: null,
      lacks_columns: !sameColumns,
    }));
  const reading = { nameMapping: nameMappingOf(metadata), formerSchemas: metadata.schemas.toReversed() };
  return { whole, reduced, reading };
}

/**
 * The metadata of a clone before its first snapshot: the source's columns, layouts and properties with their ids, and no history.
 *
 * Column and partition ids, sequence numbers and row ids continue: files may contain columns that were dropped, and rows that name
 * their id.
 */
export function cloneMetadata(
  source: TableMetadata,
  { uuid, location, now }: { readonly uuid: string; readonly location: string; readonly now: number },
): TableMetadata {
  const { statistics: _s, 'partition-statistics': _p, 'encryption-keys': _k, ...kept } = source;
  const properties = Object.entries(source.properties).filter(([name]) => !PATH_PROPERTIES.includes(name));
  return {
    ...kept,
    'table-uuid': uuid,
    location,
    'last-updated-ms': now,
    properties: Object.fromEntries(properties),
    'current-snapshot-id': -1,
    snapshots: [],
    'snapshot-log': [],
    'metadata-log': [],
    refs: {},
  };
}
