import { type SnapshotDraft, startWriting } from '../commits/snapshot-draft.ts';
import type { TableIds } from '../commits/table-ids.ts';
import { joinLocation } from '../files/locations.ts';
import { type Int64, type Snapshot, schemaById, type TableMetadata } from '../metadata/metadata.ts';
import { fieldSummaries } from './field-summaries.ts';
import { manifestEntrySchema, manifestListSchema } from './manifest-schemas.ts';
import {
  allEntries,
  ENTRY_ADDED,
  ENTRY_DELETED,
  ENTRY_EXISTING,
  EXACT_SCHEMA,
  type ManifestEntry,
  type ManifestFile,
} from './manifests.ts';
import { MAX_ITEMS, ROW_ITEMS } from './read-avro.ts';
import { type AvroSchema, writeAvro } from './write-avro.ts';

const metadataFolder = (metadata: TableMetadata): string => `${metadata.location}/metadata`;

const syncMarker = (ids: TableIds): Buffer => Buffer.from(ids.uuid().replaceAll('-', ''), 'hex');

/** The schema a manifest names; `exact` if its files have exactly these columns. */
export type ManifestSchema = { readonly schemaId: number; readonly exact: boolean };

/** Maximum items of one manifest. Readers accept more, but it is read and merged as a whole, and must not unpack to too much. */
export const MANIFEST_ITEMS = MAX_ITEMS / 20;

/**
 * Writes manifests of data files, or of delete files (`content` 1), and returns the records for the manifest list.
 *
 * @param partition the record schema of the spec's tuples
 */
export async function writeManifests(
  draft: SnapshotDraft,
  specId: number,
  partition: AvroSchema,
  entries: readonly ManifestEntry[],
  named: ManifestSchema,
  content: 0 | 1 = 0,
): Promise<ManifestFile[]> {
  const manifests: ManifestFile[] = [];
  let [start, items] = [0, 0];
  for (const [i, entry] of entries.entries()) {
    const added = itemsOf(entry);
    if (i > start && items + added > MANIFEST_ITEMS) {
      manifests.push(await writeManifest(draft, specId, partition, entries.slice(start, i), named, content));
      [start, items] = [i, 0];
    }
    items += added;
  }
  manifests.push(await writeManifest(draft, specId, partition, entries.slice(start), named, content));
  return manifests;
}

/** Sizes, counts of values, nulls and NaN, and two bounds. */
const STATISTICS = 6;

/** The items of a file with all statistics of so many columns. */
export const itemsOfFile = (columns: number): number => ROW_ITEMS + STATISTICS * columns;

/** The items of an entry, as readers count them. */
function itemsOf({ data_file: file }: ManifestEntry): number {
  const counts = [file.column_sizes, file.value_counts, file.null_value_counts, file.nan_value_counts];
  const lists = [...counts, file.lower_bounds, file.upper_bounds, file.split_offsets, file.equality_ids];
  return lists.reduce((items, list) => items + (list?.length ?? 0), ROW_ITEMS);
}

async function writeManifest(
  draft: SnapshotDraft,
  specId: number,
  partition: AvroSchema,
  entries: readonly ManifestEntry[],
  named: ManifestSchema,
  content: 0 | 1,
): Promise<ManifestFile> {
  const { metadata, ids, snapshotId } = draft;
  const schema = schemaById(metadata, named.schemaId);
  const spec = metadata['partition-specs'].find((s) => s['spec-id'] === specId);
  const version = metadata['format-version'];
  const header = {
    schema: JSON.stringify(schema),
    'schema-id': String(schema['schema-id']),
    'partition-spec': JSON.stringify(spec?.fields ?? []),
    'partition-spec-id': String(specId),
    'format-version': String(version),
    content: content === 0 ? 'data' : 'deletes',
    ...(named.exact ? { [EXACT_SCHEMA]: 'true' } : {}),
  };
  const body = await writeAvro(manifestEntrySchema(partition, version), header, entries, syncMarker(ids));
  const location = joinLocation(metadataFolder(metadata), `${ids.uuid()}-m0.avro`);
  startWriting(draft, location, body);
  const sequence = BigInt(draft.sequence);
  const live = entries.filter((e) => e.status !== ENTRY_DELETED).map((e) => e.sequence_number ?? sequence);
  const structs = [schema, ...metadata.schemas.toReversed()];
  return {
    manifest_path: location,
    manifest_length: BigInt(body.length),
    partition_spec_id: specId,
    content,
    sequence_number: sequence,
    min_sequence_number: smallest([sequence, ...live]),
    added_snapshot_id: BigInt(snapshotId),
    ...countEntries(entries),
    partitions: fieldSummaries(
      structs,
      spec,
      partition,
      entries.map((e) => e.data_file),
    ),
    key_metadata: null,
  };
}

const smallest = (values: readonly bigint[]): bigint => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0]!;

function countEntries(entries: readonly ManifestEntry[]) {
  const of = (status: number) => entries.filter((e) => e.status === status);
  const rows = (status: number) => of(status).reduce((sum, e) => sum + e.data_file.record_count, 0n);
  return {
    added_files_count: of(ENTRY_ADDED).length,
    existing_files_count: of(ENTRY_EXISTING).length,
    deleted_files_count: of(ENTRY_DELETED).length,
    added_rows_count: rows(ENTRY_ADDED),
    existing_rows_count: rows(ENTRY_EXISTING),
    deleted_rows_count: rows(ENTRY_DELETED),
  };
}

/** A written manifest list; `lineage` contains the row ids that the snapshot assigns (format version 3). */
export type WrittenList = {
  readonly location: string;
  readonly lineage: Pick<Snapshot, 'first-row-id' | 'added-rows'>;
};

/** Writes the manifest list of the snapshot. */
export async function writeManifestList(
  draft: SnapshotDraft,
  parentId: Int64 | null,
  manifests: readonly ManifestFile[],
): Promise<WrittenList> {
  const { store, metadata, ids, snapshotId, sequence } = draft;
  const version = metadata['format-version'];
  const complete = await Promise.all(manifests.map((m) => withCounts(store, m)));
  const { rows, lineage } = version === 3 ? withRowIds(metadata, complete) : { rows: complete, lineage: {} };
  const header = {
    'snapshot-id': String(snapshotId),
    'parent-snapshot-id': parentId === null ? 'null' : String(parentId),
    'sequence-number': String(sequence),
    'format-version': String(version),
    ...(lineage['first-row-id'] === undefined ? {} : { 'first-row-id': String(lineage['first-row-id']) }),
  };
  const body = await writeAvro(manifestListSchema(version), header, rows, syncMarker(ids));
  const location = joinLocation(metadataFolder(metadata), `snap-${snapshotId}-1-${ids.uuid()}.avro`);
  startWriting(draft, location, body);
  return { location, lineage };
}

/** Lists of format version 1 may lack the counts that version 2 requires. */
async function withCounts(store: SnapshotDraft['store'], manifest: ManifestFile): Promise<ManifestFile> {
  const known = [manifest.added_files_count, manifest.existing_files_count, manifest.deleted_files_count];
  const rows = [manifest.added_rows_count, manifest.existing_rows_count, manifest.deleted_rows_count];
  if (![...known, ...rows].includes(null)) return manifest;
  return { ...manifest, ...countEntries(await allEntries(store, manifest)) };
}

/** Assigns consecutive row ids to manifests of data files that have none (row lineage). */
function withRowIds(metadata: TableMetadata, manifests: readonly ManifestFile[]) {
  const first = BigInt(metadata['next-row-id'] ?? 0);
  let next = first;
  const rows = manifests.map((m) => {
    if (m.content !== 0 || (m.first_row_id ?? null) !== null) return m;
    const first_row_id = next;
    next += (m.added_rows_count ?? 0n) + (m.existing_rows_count ?? 0n);
    return { ...m, first_row_id };
  });
  return { rows, lineage: { 'first-row-id': exact(first), 'added-rows': exact(next - first) } };
}

const exact = (value: bigint): Int64 => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value);
