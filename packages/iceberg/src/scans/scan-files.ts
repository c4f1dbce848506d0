import { isDeepStrictEqual } from 'node:util';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { isDirect, isWithin, normalizeLocation } from '../files/locations.ts';
import type { DeleteFile, DescribedFile } from '../manifests/delete-index.ts';
import { DeleteIndex } from '../manifests/delete-index.ts';
import { packStatistics } from '../manifests/file-bounds.ts';
import {
  type DataFileRecord,
  partitionNames,
  type ReadManifest,
  readManifest,
  readManifestList,
} from '../manifests/manifests.ts';
import { avroName, type PartitionValue, partitionValue, textOfValue, tupleKey } from '../manifests/partition-values.ts';
import { fieldById, fieldPath } from '../metadata/find-field.ts';
import {
  currentSchema,
  type IcebergField,
  type IcebergSchema,
  type IcebergStruct,
  type Int64,
  type PartitionSpec,
  type Snapshot,
  schemaById,
  snapshotById,
  snapshotOfRef,
  type TableMetadata,
} from '../metadata/metadata.ts';
import { type NameMapping, nameMappingOf } from '../metadata/name-mapping.ts';

export type ScanFile = {
  readonly location: string;
  readonly rows: number;
  readonly bytes: number;
  readonly deletes: readonly DeleteFile[];
  /** Data sequence number; a file that isn't committed yet has none. */
  readonly sequence?: bigint;
  /** Partition spec and values as one text. */
  readonly scope?: string;
  /** Values of identity partitions by column id, for a file that lacks the column; see `textOfValue`. */
  readonly constants?: ReadonlyMap<number, string | null>;
  /**
   * True if the file is known to have every column of the schema with its current name and type. It can then be read
   * without inspecting its own columns.
   */
  readonly sameColumns?: boolean;
  /** The column statistics from its manifest; see `boundsOf`. */
  readonly statistics?: Buffer;
  /** The id of its first row (format version 3). */
  readonly firstRowId?: bigint | null;
};

/** What a reader needs for files written by another engine or with an older schema. */
export type FileReadOptions = {
  /** The names of columns in files without field ids, if the table defines them. */
  readonly nameMapping?: NameMapping | null;
  /** The table's current and former schemas, newest first: deletes may refer to columns that were dropped since. */
  readonly formerSchemas?: readonly IcebergStruct[];
};

export type TableScan = FileReadOptions & {
  readonly snapshot: Snapshot | null;
  readonly schema: IcebergSchema;
  readonly files: readonly ScanFile[];
};

/**
 * The version of a table: a branch or tag (default `main`, read with the current schema) or a snapshot (with its own).
 */
export type ScanAt = { readonly ref?: string; readonly snapshotId?: Int64 };

/**
 * The data files of a snapshot with the deletes that apply to each.
 *
 * @throws UnsupportedTableError for file formats and delete kinds this service cannot read
 */
export async function scanFiles(store: FileStore, metadata: TableMetadata, at: ScanAt = {}): Promise<TableScan> {
  const snapshot =
    at.snapshotId === undefined ? snapshotOfRef(metadata, at.ref ?? 'main') : snapshotById(metadata, at.snapshotId);
  if (!snapshot && (at.snapshotId !== undefined || (at.ref ?? 'main') !== 'main')) {
    throw new UnsupportedTableError("The snapshot, branch or tag doesn't exist.");
  }
  const schemaId = at.snapshotId === undefined ? undefined : snapshot?.['schema-id'];
  const schema = schemaId === undefined ? currentSchema(metadata) : schemaById(metadata, schemaId);
  const placed = await describeFiles(store, metadata, snapshot, schema);
  return {
    snapshot,
    schema,
    files: scanFilesOf(placed),
    nameMapping: nameMappingOf(metadata),
    formerSchemas: metadata.schemas.toReversed(),
  };
}

/** The data files in this list, with the deletes in this list that apply to each. */
export function scanFilesOf(placed: readonly DescribedFile[]): ScanFile[] {
  const deletes = new DeleteIndex(placed.filter((p) => p.data_file.content !== 0));
  return placed
    .filter((p) => p.data_file.content === 0)
    .map((data) => ({
      location: data.data_file.file_path,
      rows: Number(data.data_file.record_count),
      bytes: Number(data.data_file.file_size_in_bytes),
      deletes: deletes.of(data),
      sequence: data.sequence_number,
      scope: data.scope,
      constants: data.constants,
      sameColumns: data.sameColumns,
      statistics: packStatistics(data.data_file),
      firstRowId: data.data_file.first_row_id ?? null,
    }));
}

/** Every live data and delete file of a snapshot. */
export async function describeFiles(
  store: FileStore,
  metadata: TableMetadata,
  snapshot: Snapshot | null,
  schema: IcebergSchema,
): Promise<DescribedFile[]> {
  const placed: DescribedFile[] = [];
  for (const manifest of await ownManifests(store, metadata, snapshot)) {
    if (manifest.added_files_count === 0 && manifest.existing_files_count === 0) continue;
    const spec = metadata['partition-specs'].find((s) => s['spec-id'] === manifest.partition_spec_id);
    const read = await readManifest(store, manifest);
    const tuple = tupleReader(metadata, spec, read);
    const sameColumns = hasSameColumns(metadata, schema, read);
    for (const entry of read.entries) {
      checkFormat(entry.data_file);
      requireOwnFile(metadata, entry.data_file.file_path);
      const { key, values, constants } = tuple(entry.data_file);
      placed.push({
        ...entry,
        sameColumns,
        specId: manifest.partition_spec_id,
        unpartitioned: (spec?.fields.length ?? 0) === 0,
        scope: `${manifest.partition_spec_id} ${key}`,
        tuple: values,
        constants,
      });
    }
  }
  return placed;
}

/** Reads the partition tuples of a manifest: as one text, and as values of the columns that they determine. */
function tupleReader(metadata: TableMetadata, spec: PartitionSpec | undefined, read: ReadManifest) {
  const names = partitionNames(read.partition);
  const fields = (spec?.fields ?? []).map((f) => ({ ...f, at: names.get(f['field-id']) ?? f.name }));
  const known = fields.flatMap((f) => {
    const source = f.transform === 'identity' ? topField(metadata, f['source-id']) : null;
    return source ? [{ ...f, source }] : [];
  });
  return (file: DataFileRecord) => {
    const value = (at: string) => (file.partition[at] ?? null) as PartitionValue;
    return {
      key: tupleKey(fields.map((f) => value(f.at))),
      values: Object.fromEntries(fields.map((f) => [avroName(f.name), value(f.at)])),
      constants: new Map(
        known.map(({ source, at, name }) => {
          const { id, type } = source;
          return [id, textOfValue(type, partitionValue(type, file.partition[at], name))];
        }),
      ),
    };
  };
}

/** A current or dropped column of the table. Columns inside structs are always in the files. */
function topField(metadata: TableMetadata, id: number): IcebergField | null {
  for (const schema of [currentSchema(metadata), ...metadata.schemas.toReversed()]) {
    if (fieldPath(schema, id)?.length === 1) return fieldById(schema, id);
  }
  return null;
}

function hasSameColumns(metadata: TableMetadata, schema: IcebergSchema, read: ReadManifest): boolean {
  const written = metadata.schemas.find((s) => s['schema-id'] === read.schemaId);
  if (!read.exactSchema || !written) return false;
  return schema.fields.every((field) => {
    const matching = written.fields.find((f) => f.id === field.id);
    return matching?.name === field.name && isDeepStrictEqual(matching.type, field.type);
  });
}

async function ownManifests(store: FileStore, metadata: TableMetadata, snapshot: Snapshot | null) {
  if (snapshot?.['manifest-list'] !== undefined) requireOwnFile(metadata, snapshot['manifest-list']);
  for (const location of snapshot?.manifests ?? []) requireOwnFile(metadata, location);
  const manifests = await readManifestList(store, snapshot);
  for (const manifest of manifests) requireOwnFile(metadata, manifest.manifest_path);
  return manifests;
}

/**
 * A table may only read its own files: another table may be inside its folder, and its files are read only through that
 * table.
 *
 * @param inside folders of such tables, in the store's canonical form
 * @throws UnsupportedTableError
 */
export function requireNoneInside(files: readonly ScanFile[], inside: readonly string[]): void {
  if (inside.length === 0) return;
  const named = files.flatMap(({ location, deletes }) => [location, ...deletes.map((d) => d.location)]);
  for (const location of named.map(normalizeLocation)) {
    if (!inside.some((folder) => isWithin(folder, location))) continue;
    throw new UnsupportedTableError(
      "The table refers to a file of another table, whose folder is inside its own. svc doesn't read such files. Roll the table back to a snapshot from before they were added.",
    );
  }
}

/** Whether a location is inside the table's folder. */
export const isOwnFile = (metadata: TableMetadata, location: string): boolean =>
  isDirect(location) && isWithin(normalizeLocation(metadata.location), normalizeLocation(location));

/** Metadata written by an engine may name any file, but a table must not expose a file of another table. */
function requireOwnFile(metadata: TableMetadata, location: string): void {
  if (!isDirect(location)) {
    throw new UnsupportedTableError(
      `The table refers to a file by a location with "." or ".." segments, plain or percent-encoded. svc doesn't read such files. Roll the table back to a snapshot from before they were added.`,
    );
  }
  if (isOwnFile(metadata, location)) return;
  throw new UnsupportedTableError("The table refers to a file outside its own folder. svc doesn't read such files.");
}

function checkFormat(file: DataFileRecord): void {
  const format = file.file_format.toUpperCase();
  if (format === 'PARQUET' || (format === 'PUFFIN' && file.content === 1)) return;
  throw new UnsupportedTableError(`The table has a file in the format ${format}. svc reads only Parquet.`);
}
