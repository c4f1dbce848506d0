import { MAX_VECTOR_BYTES } from '../encoding/deletion-vector.ts';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { readLimited } from '../files/read-limited.ts';
import type { Snapshot } from '../metadata/metadata.ts';
import { MANIFEST_ENTRY, MANIFEST_FILE } from './manifest-shapes.ts';
import { type AvroFile, MAX_AVRO_BYTES, readAvro } from './read-avro.ts';
import type { AvroSchema } from './write-avro.ts';

export type KeyedLongs = readonly { readonly key: number; readonly value: bigint }[];
export type KeyedBytes = readonly { readonly key: number; readonly value: Buffer }[];

/** A file as its manifest entry records it; `content` is 0 data, 1 position deletes, 2 equality deletes. */
export type DataFileRecord = {
  readonly content: number;
  readonly file_path: string;
  readonly file_format: string;
  /** By the field names of the manifest's own partition record; see `partitionFields`. */
  readonly partition: Readonly<Record<string, unknown>>;
  readonly record_count: bigint;
  readonly file_size_in_bytes: bigint;
  readonly column_sizes: KeyedLongs | null;
  readonly value_counts: KeyedLongs | null;
  readonly null_value_counts: KeyedLongs | null;
  readonly nan_value_counts: KeyedLongs | null;
  readonly lower_bounds: KeyedBytes | null;
  readonly upper_bounds: KeyedBytes | null;
  readonly key_metadata: Buffer | null;
  readonly split_offsets: readonly bigint[] | null;
  readonly equality_ids: readonly number[] | null;
  readonly sort_order_id: number | null;
  readonly referenced_data_file?: string | null;
  /** Format version 3: row lineage, and the position of a deletion vector in its Puffin file. */
  readonly first_row_id?: bigint | null;
  readonly content_offset?: bigint | null;
  readonly content_size_in_bytes?: bigint | null;
  /**
   * For a new file, the partition spec it was written with; not part of the entry. If missing, the file is
   * unpartitioned.
   */
  readonly spec_id?: number;
  /** For a new file: whether it may lack columns of the current schema, or have them with former types or names; not part of the entry. */
  readonly lacks_columns?: boolean;
};

export const ENTRY_EXISTING = 0;
export const ENTRY_ADDED = 1;
export const ENTRY_DELETED = 2;

export type ManifestEntry = {
  readonly status: number;
  readonly snapshot_id: bigint | null;
  readonly sequence_number: bigint | null;
  readonly file_sequence_number: bigint | null;
  readonly data_file: DataFileRecord;
};

/** A manifest list's summary of one partition field over all files of a manifest. */
export type FieldSummary = {
  readonly contains_null: boolean;
  readonly contains_nan: boolean | null;
  readonly lower_bound: Buffer | null;
  readonly upper_bound: Buffer | null;
};

/** A manifest as the manifest list records it; `content` is 0 data, 1 deletes. */
export type ManifestFile = {
  readonly manifest_path: string;
  readonly manifest_length: bigint;
  readonly partition_spec_id: number;
  readonly content: number;
  readonly sequence_number: bigint;
  readonly min_sequence_number: bigint;
  readonly added_snapshot_id: bigint;
  /** Counts are null in lists of format version 1 that lack them. */
  readonly added_files_count: number | null;
  readonly existing_files_count: number | null;
  readonly deleted_files_count: number | null;
  readonly added_rows_count: bigint | null;
  readonly existing_rows_count: bigint | null;
  readonly deleted_rows_count: bigint | null;
  readonly partitions: readonly FieldSummary[] | null;
  readonly key_metadata: Buffer | null;
  readonly first_row_id?: bigint | null;
};

type AvroField = { readonly name: string; readonly type: unknown; readonly 'field-id'?: number };

/**
 * Defaults for manifests from old writers of format version 1, which list them in the metadata itself without these
 * fields.
 */
const UNLISTED = {
  content: 0,
  sequence_number: 0n,
  min_sequence_number: 0n,
  added_files_count: null,
  existing_files_count: null,
  deleted_files_count: null,
  added_rows_count: null,
  existing_rows_count: null,
  deleted_rows_count: null,
  partitions: null,
  key_metadata: null,
  first_row_id: null,
};

/** The manifests of a snapshot, in list order; empty for a table without a snapshot. */
export async function readManifestList(store: FileStore, snapshot: Snapshot | null): Promise<ManifestFile[]> {
  if (!snapshot) return [];
  if (snapshot['manifest-list'] === undefined) return inlineManifests(store, snapshot);
  if (snapshot['key-id'] !== undefined) throw encrypted();
  const file = await readLimited(store, snapshot['manifest-list'], MAX_AVRO_BYTES, 'manifest list');
  return (await readAvro(file, MANIFEST_FILE, 'manifest list')).rows as ManifestFile[];
}

const encrypted = () => new UnsupportedTableError("The table is encrypted. svc can't read encrypted tables.");

async function inlineManifests(store: FileStore, snapshot: Snapshot): Promise<ManifestFile[]> {
  const added_snapshot_id = BigInt(snapshot['snapshot-id']);
  const found = [];
  for (const manifest_path of snapshot.manifests ?? []) {
    const size = (await store.stat(manifest_path))?.size ?? 0;
    found.push({
      ...UNLISTED,
      manifest_path,
      manifest_length: BigInt(size),
      partition_spec_id: 0,
      added_snapshot_id,
    });
  }
  return found;
}

export type LiveEntry = ManifestEntry & {
  readonly snapshot_id: bigint;
  readonly sequence_number: bigint;
  readonly file_sequence_number: bigint;
};

/**
 * Our own mark in a manifest's header: its files have exactly the columns of the schema it names. Other engines name
 * the current schema, even when they rewrite manifests of older files.
 */
export const EXACT_SCHEMA = 'svc.exact-schema';

export type ReadManifest = {
  readonly entries: LiveEntry[];
  /** The partition's record schema. */
  readonly partition: AvroSchema;
  readonly schemaId: number | null;
  readonly exactSchema: boolean;
};

/** The live entries of a manifest with inherited values, and its header's content. */
export async function readManifest(store: FileStore, manifest: ManifestFile): Promise<ReadManifest> {
  const { rows, schema, metadata } = await readEntries(store, manifest);
  let nextRowId = manifest.first_row_id ?? null;
  const entries: LiveEntry[] = [];
  for (const entry of rows as ManifestEntry[]) {
    const file = entry.data_file;
    if (entry.status === ENTRY_DELETED) continue;
    if (file.key_metadata) throw encrypted();
    requireWhole(file);
    // Rows without their own id are numbered in the order of the entries (row lineage).
    const inherits = nextRowId !== null && file.content === 0 && file.first_row_id === null;
    const first = inherits ? nextRowId : file.first_row_id;
    if (inherits) nextRowId = nextRowId! + file.record_count;
    entries.push({
      ...entry,
      snapshot_id: entry.snapshot_id ?? manifest.added_snapshot_id,
      sequence_number: entry.sequence_number ?? manifest.sequence_number,
      file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
      data_file: { ...file, first_row_id: first ?? null },
    });
  }
  const schemaId = Number(metadata['schema-id']);
  return {
    entries,
    partition: partitionSchema(schema),
    schemaId: Number.isSafeInteger(schemaId) ? schemaId : null,
    exactSchema: metadata[EXACT_SCHEMA] === 'true',
  };
}

/** Every entry of a manifest as stored, including removed ones. */
export async function allEntries(store: FileStore, manifest: ManifestFile): Promise<ManifestEntry[]> {
  return (await readEntries(store, manifest)).rows as ManifestEntry[];
}

async function readEntries(store: FileStore, manifest: ManifestFile): Promise<AvroFile> {
  if (manifest.key_metadata !== null) throw encrypted();
  const file = await readLimited(store, manifest.manifest_path, MAX_AVRO_BYTES, 'manifest');
  return readAvro(file, MANIFEST_ENTRY, 'manifest');
}

/** Checks the fields that a file's kind requires, and that readers can use their values. */
function requireWhole(file: DataFileRecord): void {
  const needs = (field: keyof DataFileRecord, problem: string) =>
    new UnsupportedTableError(`A manifest of the table is not valid: "data_file.${field}" ${problem}.`);
  for (const field of ['record_count', 'file_size_in_bytes', 'content_offset', 'content_size_in_bytes'] as const) {
    if ((file[field] ?? 0n) > Number.MAX_SAFE_INTEGER) throw needs(field, 'is larger than 2^53');
  }
  if (file.content === 2 && (file.equality_ids ?? []).length === 0)
    throw needs('equality_ids', 'is required for equality deletes, but empty');
  if (!isVector(file)) return;
  for (const field of ['referenced_data_file', 'content_offset', 'content_size_in_bytes'] as const) {
    if ((file[field] ?? null) === null) throw needs(field, 'is required for deletion vectors, but null');
  }
  if (file.content_size_in_bytes! > MAX_VECTOR_BYTES)
    throw needs('content_size_in_bytes', `is larger than ${MAX_VECTOR_BYTES}, the maximum size of a deletion vector`);
}

/** Whether the entry is a deletion vector, which is part of a Puffin file. */
export const isVector = (file: DataFileRecord): boolean => file.file_format.toUpperCase() === 'PUFFIN';

function partitionSchema(entry: AvroSchema): AvroSchema {
  // The same fields that the rows are read from.
  const inside = (record: AvroSchema, id: number, name: string) => {
    const fields = record['fields'] as AvroField[];
    return fields.find((f) => f['field-id'] === id || (f['field-id'] === undefined && f.name === name))?.type;
  };
  const dataFile = inside(entry, 2, 'data_file') as AvroSchema;
  const partition = Array.isArray(dataFile['fields']) ? inside(dataFile, 102, 'partition') : undefined;
  if (Array.isArray((partition as AvroSchema | undefined)?.['fields'])) return partition as AvroSchema;
  throw new UnsupportedTableError('A manifest of the table is not valid: "data_file.partition" has no inline type.');
}

/** The names of a manifest's partition values, by partition field id (writers sanitize the names). */
export function partitionNames(partition: AvroSchema): ReadonlyMap<number, string> {
  const fields = partition['fields'] as AvroField[];
  return new Map(fields.flatMap((f) => (f['field-id'] === undefined ? [] : [[f['field-id'], f.name]])));
}
