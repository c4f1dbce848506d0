import { isDeepStrictEqual } from 'node:util';
import type { ObjectStore } from '../storage/index.ts';
import { type LiveEntry, type ReadManifest, readManifest, readManifestList } from './manifests.ts';
import {
  currentSchema,
  type IcebergSchema,
  type Int64,
  type Snapshot,
  schemaById,
  snapshotById,
  snapshotOfRef,
  type TableMetadata,
  UnsupportedTableError,
} from './metadata.ts';

/** A file of deleted rows another engine left, to be applied to a data file. */
export type DeleteFile =
  | { readonly kind: 'position'; readonly location: string }
  | { readonly kind: 'equality'; readonly location: string; readonly fieldIds: readonly number[] };

export type ScanFile = {
  readonly location: string;
  readonly rows: number;
  readonly bytes: number;
  readonly deletes: readonly DeleteFile[];
  /**
   * True when the file is known to have every column of the schema under its present name and type. It may then be read
   * by name, which the engine does on all cores; otherwise it is read by field id.
   */
  readonly sameColumns?: boolean;
};

export type TableScan = {
  readonly snapshot: Snapshot | null;
  readonly schema: IcebergSchema;
  readonly files: readonly ScanFile[];
};

type Placed = LiveEntry & {
  readonly sameColumns: boolean;
  readonly spec: number;
  readonly unpartitioned: boolean;
  readonly partition: string;
};

/**
 * The data files of a snapshot with the deletes that apply to each.
 *
 * @param at a branch or tag (default `main`, read with the table's current schema) or a snapshot id (with its own)
 * @throws UnsupportedTableError for file formats and delete kinds this service cannot read
 */
export async function scanFiles(
  store: ObjectStore,
  metadata: TableMetadata,
  at: { readonly ref?: string; readonly snapshotId?: Int64 } = {},
): Promise<TableScan> {
  const snapshot =
    at.snapshotId === undefined ? snapshotOfRef(metadata, at.ref ?? 'main') : snapshotById(metadata, at.snapshotId);
  if (!snapshot && (at.snapshotId !== undefined || (at.ref ?? 'main') !== 'main')) {
    throw new UnsupportedTableError('There is no such snapshot, branch or tag.');
  }
  const schemaId = at.snapshotId === undefined ? undefined : snapshot?.['schema-id'];
  const schema = schemaId === undefined ? currentSchema(metadata) : schemaById(metadata, schemaId);
  const placed = await readPlaced(store, metadata, snapshot, schema);
  const deletes = placed.filter((p) => p.data_file.content !== 0);
  const files = placed
    .filter((p) => p.data_file.content === 0)
    .map((data) => ({
      location: data.data_file.file_path,
      rows: Number(data.data_file.record_count),
      bytes: Number(data.data_file.file_size_in_bytes),
      deletes: deletes.filter((d) => applies(d, data)).map(asDeleteFile),
      sameColumns: data.sameColumns,
    }));
  return { snapshot, schema, files };
}

async function readPlaced(
  store: ObjectStore,
  metadata: TableMetadata,
  snapshot: Snapshot | null,
  schema: IcebergSchema,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const manifest of await readManifestList(store, snapshot)) {
    const spec = metadata['partition-specs'].find((s) => s['spec-id'] === manifest.partition_spec_id);
    const read = await readManifest(store, manifest);
    const sameColumns = hasSameColumns(metadata, schema, read);
    for (const entry of read.entries) {
      checkFormat(entry);
      placed.push({
        ...entry,
        sameColumns,
        spec: manifest.partition_spec_id,
        unpartitioned: (spec?.fields.length ?? 0) === 0,
        partition: partitionKey(entry.data_file.partition),
      });
    }
  }
  return placed;
}

function hasSameColumns(metadata: TableMetadata, schema: IcebergSchema, read: ReadManifest): boolean {
  // A table that never had another schema has no file of another one, whoever wrote it.
  if (metadata.schemas.length === 1 && metadata['current-schema-id'] === 0) return true;
  const written = metadata.schemas.find((s) => s['schema-id'] === read.schemaId);
  if (!read.exactSchema || !written) return false;
  return schema.fields.every((field) => {
    const held = written.fields.find((f) => f.id === field.id);
    return held?.name === field.name && isDeepStrictEqual(held.type, field.type);
  });
}

function checkFormat(entry: LiveEntry): void {
  const format = entry.data_file.file_format.toUpperCase();
  if (format === 'PARQUET') return;
  throw new UnsupportedTableError(`The table holds a file in the format ${format}; this service reads Parquet alone.`);
}

const partitionKey = (partition: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(partition, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** Scope of deletes (Iceberg specification, "Scan planning"). */
function applies(deletion: Placed, data: Placed): boolean {
  const { content, referenced_data_file: only } = deletion.data_file;
  const samePartition = deletion.spec === data.spec && deletion.partition === data.partition;
  if (content === 1) {
    if (only && only !== data.data_file.file_path) return false;
    return samePartition && data.sequence_number <= deletion.sequence_number;
  }
  return (deletion.unpartitioned || samePartition) && data.sequence_number < deletion.sequence_number;
}

function asDeleteFile(entry: Placed): DeleteFile {
  const file = entry.data_file;
  if (file.content === 1) return { kind: 'position', location: file.file_path };
  return { kind: 'equality', location: file.file_path, fieldIds: file.equality_ids ?? [] };
}
