import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { type DataFileRecord, readManifestList } from '../manifests/manifests.ts';
import {
  currentSchema,
  type IcebergField,
  type IcebergType,
  type Int64,
  snapshotOfRef,
  type TableMetadata,
} from '../metadata/metadata.ts';
import { describeFiles } from '../scans/scan-files.ts';
import { createTableMetadata } from '../updates/create-table.ts';
import { columnsOfFields } from '../values/field-types.ts';
import { cloneMetadata } from './clone-table.ts';

/** What a table that an engine stages rows in has in common with the table that gets them. */
export type StagedFor = {
  readonly uuid: string;
  /** The folder of the table that gets the rows: its data files stay where the engine writes them. */
  readonly location: string;
  /** The columns of the rows, with the ids that they have in the table. */
  readonly fields: readonly IcebergField[];
  /** The table that gets the rows; null for a new, unpartitioned one. */
  readonly target: TableMetadata | null;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/**
 * The metadata of an empty table for the rows of another one: with its folder, its column ids, its partition spec and its sort order,
 * so that its data files can be committed to the other table as they are. Always in format version 2, which every engine writes.
 */
export function stagedMetadata({ uuid, location, fields, target, now }: StagedFor): TableMetadata {
  const like =
    target === null
      ? createTableMetadata({ uuid, location, columns: columnsOfFields({ type: 'struct', fields }), now })
      : cloneMetadata(target, { uuid, location, now });
  const { 'next-row-id': _rowId, ...metadata } = like;
  return {
    ...metadata,
    'format-version': 2,
    schemas: [{ type: 'struct', 'schema-id': 0, fields: fields.map(withoutDefaults) }],
    'current-schema-id': 0,
    'last-column-id': Math.max(like['last-column-id'], ...idsOf({ type: 'struct', fields })),
    'partition-specs': like['partition-specs'].filter((spec) => spec['spec-id'] === like['default-spec-id']),
    'sort-orders': like['sort-orders'].filter((order) => order['order-id'] === like['default-sort-order-id']),
  };
}

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
  if (described.some(({ data_file: { content } }) => content !== 0))
    throw new UnsupportedTableError('The engine wrote deletes to a table that had no rows.');
  const files = described.map(({ data_file, tuple, specId }) => ({
    ...data_file,
    partition: tuple,
    spec_id: specId,
    first_row_id: null,
  }));
  return { snapshotId: snapshot['snapshot-id'], files };
}

/** The files with which an engine described the staged rows. They are obsolete once the rows are read. */
export async function stagingFiles(
  store: FileStore,
  { metadata, metadataLocation }: { readonly metadata: TableMetadata; readonly metadataLocation: string },
): Promise<string[]> {
  const snapshots = metadata.snapshots;
  const manifests = await Promise.all(snapshots.map((snapshot) => readManifestList(store, snapshot)));
  return [
    metadataLocation,
    ...metadata['metadata-log'].map((entry) => entry['metadata-file']),
    ...snapshots.flatMap((snapshot) => snapshot['manifest-list'] ?? []),
    ...manifests.flat().map((manifest) => manifest.manifest_path),
    ...(metadata.statistics ?? []).map((file) => file['statistics-path']),
  ];
}
