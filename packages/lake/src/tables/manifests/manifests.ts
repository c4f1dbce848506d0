import type { ObjectStore } from '../../storage/index.ts';
import { type Snapshot, UnsupportedTableError } from '../metadata/metadata.ts';
import { type AvroSchema, readAvro } from './avro.ts';

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
  /** Format version 3: row lineage, and where a deletion vector lies in its Puffin file. */
  readonly first_row_id?: bigint | null;
  readonly content_offset?: bigint | null;
  readonly content_size_in_bytes?: bigint | null;
  /** Of a new file, the partition spec it was written under; not part of the entry. Missing: the unpartitioned one. */
  readonly spec_id?: number;
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

/** What a manifest list tells of one partition field over all files of a manifest. */
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

type Row = Readonly<Record<string, unknown>>;
type AvroField = { readonly name: string; readonly type: unknown; readonly 'field-id'?: number };

/** Writers have named these fields differently; the ids are what counts. */
const LIST_NAMES: Readonly<Record<number, keyof ManifestFile>> = {
  500: 'manifest_path',
  501: 'manifest_length',
  502: 'partition_spec_id',
  503: 'added_snapshot_id',
  504: 'added_files_count',
  505: 'existing_files_count',
  506: 'deleted_files_count',
  507: 'partitions',
  512: 'added_rows_count',
  513: 'existing_rows_count',
  514: 'deleted_rows_count',
  515: 'sequence_number',
  516: 'min_sequence_number',
  517: 'content',
  519: 'key_metadata',
  520: 'first_row_id',
};

function renamed(row: Row, fields: readonly AvroField[], names: Readonly<Record<number, string>>): Row {
  return Object.fromEntries(
    fields.map((f) => [(f['field-id'] !== undefined && names[f['field-id']]) || f.name, row[f.name]]),
  );
}

/** What format version 1 leaves out. */
const LIST_DEFAULTS = {
  content: 0,
  sequence_number: 0n,
  min_sequence_number: 0n,
  added_snapshot_id: 0n,
  added_files_count: null,
  existing_files_count: null,
  deleted_files_count: null,
  added_rows_count: null,
  existing_rows_count: null,
  deleted_rows_count: null,
  partitions: null,
  key_metadata: null,
};

/** The manifests of a snapshot, in list order; none for a table without snapshot. */
export async function readManifestList(store: ObjectStore, snapshot: Snapshot | null): Promise<ManifestFile[]> {
  if (!snapshot) return [];
  if (snapshot['manifest-list'] === undefined) return inlineManifests(store, snapshot);
  if (snapshot['key-id'] !== undefined) throw encrypted();
  const { rows, schema } = await readAvro(await store.read(snapshot['manifest-list']));
  const fields = schema['fields'] as AvroField[];
  return rows.map((row) => withoutNulls({ ...LIST_DEFAULTS, ...renamed(row as Row, fields, LIST_NAMES) }));
}

function withoutNulls(row: Row): ManifestFile {
  const filled = Object.entries(row).map(([k, v]) => [k, v ?? LIST_DEFAULTS[k as keyof typeof LIST_DEFAULTS] ?? null]);
  return Object.fromEntries(filled) as ManifestFile;
}

const encrypted = () =>
  new UnsupportedTableError('The table is encrypted; this service reads tables without encryption.');

async function inlineManifests(store: ObjectStore, snapshot: Snapshot): Promise<ManifestFile[]> {
  const added_snapshot_id = BigInt(snapshot['snapshot-id']);
  const found = [];
  for (const manifest_path of snapshot.manifests ?? []) {
    const size = (await store.stat(manifest_path))?.size ?? 0;
    found.push({
      ...LIST_DEFAULTS,
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
  if (manifest.key_metadata !== null) throw encrypted();
  const { rows, schema, metadata } = await readAvro(await store.read(manifest.manifest_path));
  let nextRowId = manifest.first_row_id ?? null;
  const entries: LiveEntry[] = [];
  for (const entry of rows as ManifestEntry[]) {
    const file = { ...entry.data_file, content: entry.data_file.content ?? 0 };
    if (entry.status === ENTRY_DELETED) continue;
    if (file.key_metadata) throw encrypted();
    // Rows without an id of their own follow each other in the order of the entries (row lineage).
    const inherits = nextRowId !== null && file.content === 0 && (file.first_row_id ?? null) === null;
    const first = inherits ? nextRowId : file.first_row_id;
    if (inherits) nextRowId = nextRowId! + file.record_count;
    entries.push({
      ...entry,
      snapshot_id: entry.snapshot_id ?? manifest.added_snapshot_id,
      sequence_number: entry.sequence_number ?? manifest.sequence_number,
      file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
      data_file: { ...file, ...(first === undefined ? {} : { first_row_id: first }) },
    });
  }
  return {
    entries,
    partition: partitionSchema(schema),
    schemaId: metadata['schema-id'] === undefined ? null : Number(metadata['schema-id']),
    exactSchema: metadata[EXACT_SCHEMA] === 'true',
  };
}

/** Every entry of a manifest as it stands in it, the removed ones too. */
export async function allEntries(store: ObjectStore, manifest: ManifestFile): Promise<ManifestEntry[]> {
  return (await readAvro(await store.read(manifest.manifest_path))).rows as ManifestEntry[];
}

function partitionSchema(entry: AvroSchema): AvroSchema {
  const inside = (record: AvroSchema, name: string) =>
    (record['fields'] as AvroField[]).find((f) => f.name === name)?.type as AvroSchema | undefined;
  const dataFile = inside(entry, 'data_file');
  const partition = dataFile && inside(dataFile, 'partition');
  return partition ?? { type: 'record', name: 'r102', fields: [] };
}

/** The names in which a manifest keeps partition values, by the partition field's id (writers sanitise the names). */
export function partitionNames(partition: AvroSchema): ReadonlyMap<number, string> {
  const fields = partition['fields'] as AvroField[];
  return new Map(fields.flatMap((f) => (f['field-id'] === undefined ? [] : [[f['field-id'], f.name]])));
}
