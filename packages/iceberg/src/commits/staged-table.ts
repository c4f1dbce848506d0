import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { normalizeLocation } from '../files/locations.ts';
import { DeleteIndex, type DescribedFile } from '../manifests/delete-index.ts';
import type { DataFileRecord } from '../manifests/manifests.ts';
import { fieldPath } from '../metadata/find-field.ts';
import {
  currentSchema,
  type IcebergField,
  type IcebergStruct,
  type IcebergType,
  type Int64,
  type Snapshot,
  snapshotOfRef,
  type TableMetadata,
} from '../metadata/metadata.ts';
import { describeFiles } from '../scans/scan-files.ts';
import { createTableMetadata } from '../updates/create-table.ts';
import { columnsOfFields } from '../values/field-types.ts';
import { cloneMetadata } from './clone-table.ts';
import type { PositionDeletes } from './position-deletes.ts';
import { hasSpecsOf } from './snapshot-writes.ts';

/** What a table that an engine stages rows in has in common with the table that gets them. */
export type StagedFor = {
  readonly uuid: string;
  /** Inside the folder of the table that gets the rows: its data files stay where the engine writes them. */
  readonly location: string;
  /** The columns of the rows, with the ids that they have in the table. */
  readonly fields: readonly IcebergField[];
  /** The table that gets the rows; null for a new, unpartitioned one. */
  readonly target: TableMetadata | null;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/**
 * The metadata of an empty table for the rows of another one: with its column ids, its partition spec and its sort order,
 * so that its data files can be committed to the other table as they are. Always in format version 2, which every engine writes.
 */
export function stagedMetadata({ uuid, location, fields, target, now }: StagedFor): TableMetadata {
  const like =
    target === null
      ? createTableMetadata({ uuid, location, columns: columnsOfFields({ type: 'struct', fields }), now })
      : cloneMetadata(target, { uuid, location, now });
  const { 'next-row-id': _rowId, ...metadata } = like;
  const struct: IcebergStruct = { type: 'struct', fields };
  const order = like['sort-orders'].find((one) => one['order-id'] === like['default-sort-order-id']);
  // Rows that replace all others may lack a column that the table is sorted by.
  const isSorted = order?.fields.every((field) => fieldPath(struct, field['source-id']) !== null) ?? false;
  return {
    ...metadata,
    'format-version': 2,
    properties: { ...metadata.properties, ...PARQUET },
    schemas: [{ type: 'struct', 'schema-id': 0, fields: fields.map(withoutDefaults) }],
    'current-schema-id': 0,
    'last-column-id': Math.max(like['last-column-id'], ...idsOf(struct)),
    'partition-specs': like['partition-specs'].filter((spec) => spec['spec-id'] === like['default-spec-id']),
    'sort-orders': [isSorted ? order! : UNSORTED],
    'default-sort-order-id': isSorted ? order!['order-id'] : UNSORTED['order-id'],
  };
}

const UNSORTED = { 'order-id': 0, fields: [] };

/** svc reads no other format, whatever the properties of the table say. */
const PARQUET = { 'write.format.default': 'parquet', 'write.delete.format.default': 'parquet' };

/** Format version 2 has no defaults; a statement writes every column. */
function withoutDefaults({
  'initial-default': _initial,
  'write-default': _write,
  ...field
}: IcebergField): IcebergField {
  return { ...field, type: plain(field.type) };
}

function plain(type: IcebergType): IcebergType {
  if (typeof type === 'string') return type;
  if (type.type === 'struct') return { ...type, fields: type.fields.map(withoutDefaults) };
  if (type.type === 'list') return { ...type, element: plain(type.element) };
  return { ...type, key: plain(type.key), value: plain(type.value) };
}

function idsOf(type: IcebergType): number[] {
  if (typeof type === 'string') return [];
  if (type.type === 'struct') return type.fields.flatMap((field) => [field.id, ...idsOf(field.type)]);
  if (type.type === 'list') return [type['element-id'], ...idsOf(type.element)];
  return [type['key-id'], ...idsOf(type.key), type['value-id'], ...idsOf(type.value)];
}

/** The rows that an engine has staged. */
export type StagedRows = {
  /** Null if there are no rows. */
  readonly snapshotId: Int64 | null;
  readonly files: readonly DataFileRecord[];
};

/** @throws UnsupportedTableError for files that this service doesn't read */
export async function stagedRows(store: FileStore, metadata: TableMetadata): Promise<StagedRows> {
  const snapshot = snapshotOfRef(metadata, 'main');
  if (snapshot === null) return { snapshotId: null, files: [] };
  const described = await describeFiles(store, metadata, snapshot, currentSchema(metadata));
  requireSpecs(metadata, described);
  if (described.some(({ data_file: { content } }) => content !== 0))
    throw new UnsupportedTableError('The engine wrote deletes to a table that had no rows.');
  return { snapshotId: snapshot['snapshot-id'], files: described.map(recordOf) };
}

/** The table that gets the files has no other partition specs. */
function requireSpecs(metadata: TableMetadata, files: readonly DescribedFile[]): void {
  if (hasSpecsOf(metadata, files.map(recordOf))) return;
  throw new UnsupportedTableError('The engine wrote files with a partition spec that the table does not have.');
}

/**
 * The metadata of a table with the current rows of another one, in the same files: an engine that changes it shows how the other one
 * would change.
 */
export function stagedClone(
  target: TableMetadata,
  { uuid, location, now }: Pick<StagedFor, 'uuid' | 'location' | 'now'>,
): TableMetadata {
  const snapshot = snapshotOfRef(target, 'main');
  const clone = cloneMetadata(target, { uuid, location, now });
  const empty = { ...clone, properties: { ...clone.properties, ...PARQUET } };
  if (snapshot === null) return empty;
  const id = snapshot['snapshot-id'];
  return {
    ...empty,
    snapshots: [snapshot],
    'current-snapshot-id': id,
    refs: { main: { 'snapshot-id': id, type: 'branch' } },
    'snapshot-log': [{ 'snapshot-id': id, 'timestamp-ms': snapshot['timestamp-ms'] }],
  };
}

/** The table that a clone shares files with. */
export type StagedFrom = {
  /** Its folder, which contains that of the clone. */
  readonly location: string;
  /** The snapshot that the clone had first. */
  readonly snapshot: Snapshot | null;
};

/** How an engine changed a clone. */
export type StagedChange = {
  /** The snapshot after the change; null for an empty table. */
  readonly snapshotId: Int64 | null;
  /** Locations of data files that the clone no longer has, and the rows that they had. */
  readonly removed: ReadonlySet<string>;
  readonly files: readonly DataFileRecord[];
  readonly deletes: readonly PositionDeletes[];
  /** Rows that were deleted, counting those that got new values, and rows that were added, with the new values. */
  readonly deletedRows: number;
  readonly addedRows: number;
};

/** @throws UnsupportedTableError for files that this service doesn't read */
export async function stagedChange(
  store: FileStore,
  metadata: TableMetadata,
  { location, snapshot: base }: StagedFrom,
): Promise<StagedChange> {
  const head = snapshotOfRef(metadata, 'main');
  const schema = currentSchema(metadata);
  const both = { ...metadata, location };
  const before = await describeFiles(store, both, base, schema);
  const after = await describeFiles(store, both, head, schema);
  const known = new Set(before.map(({ data_file }) => data_file.file_path));
  const rest = new Set(after.map(({ data_file }) => data_file.file_path));
  const isData = ({ data_file }: DescribedFile) => data_file.content === 0;
  const removed = before.filter((file) => isData(file) && !rest.has(file.data_file.file_path));
  const added = after.filter(({ data_file }) => !known.has(data_file.file_path));
  requireSpecs(metadata, added);
  const files = added.filter(isData).map(recordOf);
  const deletes = added.filter((file) => !isData(file)).map((file) => positionDeletes(file, after));
  const rows = (of: readonly DataFileRecord[]) => of.reduce((sum, file) => sum + Number(file.record_count), 0);
  return {
    snapshotId: head?.['snapshot-id'] ?? null,
    removed: new Set(removed.map(({ data_file }) => data_file.file_path)),
    files,
    deletes,
    deletedRows: rows(deletes.map(({ file }) => file)) + rows(removed.map(recordOf)) - deletedBefore(removed, before),
    addedRows: rows(files),
  };
}

/** Rows of these files that were deleted before. */
function deletedBefore(files: readonly DescribedFile[], all: readonly DescribedFile[]): number {
  const index = new DeleteIndex(all.filter(({ data_file }) => data_file.content !== 0));
  const deletes = new Set(files.flatMap((file) => index.entriesOf(file)));
  return [...deletes].reduce((sum, { data_file }) => sum + Number(data_file.record_count), 0);
}

function positionDeletes(entry: DescribedFile, all: readonly DescribedFile[]): PositionDeletes {
  const { content, file_format: format } = entry.data_file;
  if (content !== 1 || format.toUpperCase() !== 'PARQUET')
    throw new UnsupportedTableError('The engine wrote deletes of a kind that svc does not commit.');
  const index = new DeleteIndex([entry]);
  const files = all.filter((file) => file.data_file.content === 0 && index.entriesOf(file).length > 0);
  if (files.length !== 1)
    throw new UnsupportedTableError('The engine wrote a file of position deletes for several data files.');
  return { of: files[0]!.data_file.file_path, file: recordOf(entry) };
}

const recordOf = ({ data_file, tuple, specId }: DescribedFile): DataFileRecord => ({
  ...data_file,
  // Some engines write `file:/a`.
  file_path: normalizeLocation(data_file.file_path),
  partition: tuple,
  spec_id: specId,
  first_row_id: null,
});
