import type { ObjectStore } from '../storage/index.ts';
import { type AvroSchema, readAvro } from './avro.ts';
import type { Snapshot } from './metadata.ts';

export type KeyedLongs = readonly { readonly key: number; readonly value: bigint }[];
export type KeyedBytes = readonly { readonly key: number; readonly value: Buffer }[];

/** A file as its manifest entry records it; `content` is 0 data, 1 position deletes, 2 equality deletes. */
export type DataFileRecord = {
  readonly content: number;
  readonly file_path: string;
  readonly file_format: string;
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

/** A manifest as the manifest list records it; `content` is 0 data, 1 deletes. */
export type ManifestFile = {
  readonly manifest_path: string;
  readonly manifest_length: bigint;
  readonly partition_spec_id: number;
  readonly content: number;
  readonly sequence_number: bigint;
  readonly min_sequence_number: bigint;
  readonly added_snapshot_id: bigint;
  readonly added_files_count: number;
  readonly existing_files_count: number;
  readonly deleted_files_count: number;
  readonly added_rows_count: bigint;
  readonly existing_rows_count: bigint;
  readonly deleted_rows_count: bigint;
  readonly partitions: readonly unknown[] | null;
  readonly key_metadata: Buffer | null;
};

/** The manifests of a snapshot, in list order; none for a table without snapshot. */
export async function readManifestList(store: ObjectStore, snapshot: Snapshot | null): Promise<ManifestFile[]> {
  if (!snapshot) return [];
  return (await readAvro(await store.read(snapshot['manifest-list']))).rows as ManifestFile[];
}

export type LiveEntry = ManifestEntry & {
  readonly snapshot_id: bigint;
  readonly sequence_number: bigint;
  readonly file_sequence_number: bigint;
};

/**
 * Our own mark in a manifest's header: its files have exactly the columns of the schema it names. Other engines name the
 * schema of the moment, also when they rewrite manifests of older files.
 */
export const EXACT_SCHEMA = 'svc.exact-schema';

export type ReadManifest = {
  readonly entries: LiveEntry[];
  /** The partition's record schema. */
  readonly partition: AvroSchema;
  readonly schemaId: number | null;
  readonly exactSchema: boolean;
};

/** The live entries of a manifest with what they inherit from it, and what its header says. */
export async function readManifest(store: ObjectStore, manifest: ManifestFile): Promise<ReadManifest> {
  const { rows, schema, metadata } = await readAvro(await store.read(manifest.manifest_path));
  const entries = (rows as ManifestEntry[])
    .filter((entry) => entry.status !== ENTRY_DELETED)
    .map((entry) => ({
      ...entry,
      snapshot_id: entry.snapshot_id ?? manifest.added_snapshot_id,
      sequence_number: entry.sequence_number ?? manifest.sequence_number,
      file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
      data_file: { ...entry.data_file, content: entry.data_file.content ?? 0 },
    }));
  return {
    entries,
    partition: partitionSchema(schema),
    schemaId: metadata['schema-id'] === undefined ? null : Number(metadata['schema-id']),
    exactSchema: metadata[EXACT_SCHEMA] === 'true',
  };
}

type AvroField = { readonly name: string; readonly type: AvroSchema };

function partitionSchema(entry: AvroSchema): AvroSchema {
  const inside = (record: AvroSchema, name: string) =>
    (record['fields'] as AvroField[]).find((f) => f.name === name)?.type;
  const dataFile = inside(entry, 'data_file');
  const partition = dataFile && inside(dataFile, 'partition');
  return partition ?? { type: 'record', name: 'r102', fields: [] };
}
