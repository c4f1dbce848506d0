import { joinLocation, type ObjectStore } from '../storage/index.ts';
import { type AvroSchema, writeAvro } from './avro.ts';
import { MANIFEST_LIST_SCHEMA, manifestEntrySchema } from './manifest-schemas.ts';
import {
  ENTRY_ADDED,
  ENTRY_DELETED,
  ENTRY_EXISTING,
  EXACT_SCHEMA,
  type ManifestEntry,
  type ManifestFile,
} from './manifests.ts';
import { type Int64, schemaById, type TableMetadata } from './metadata.ts';

/** Where names and ids come from; passed in so that tests can repeat a history. */
export type TableIds = {
  readonly uuid: () => string;
  /** Above 0 and below 2^53; see `snapshotIdFrom`. */
  readonly snapshotId: () => number;
};

/** What one new snapshot writes, and the files written so far, to be removed should the commit fail. */
export type SnapshotDraft = {
  readonly store: ObjectStore;
  readonly metadata: TableMetadata;
  readonly snapshotId: number;
  readonly sequence: number;
  readonly ids: TableIds;
  readonly written: string[];
};

const metadataFolder = (metadata: TableMetadata): string => `${metadata.location}/metadata`;

const syncMarker = (ids: TableIds): Buffer => Buffer.from(ids.uuid().replaceAll('-', ''), 'hex');

/** The schema a manifest names; `exact` when its files have exactly these columns. */
export type ManifestSchema = { readonly schemaId: number; readonly exact: boolean };

/** Writes a manifest of data files and gives the record for the manifest list. */
export async function writeManifest(
  draft: SnapshotDraft,
  specId: number,
  partition: AvroSchema,
  entries: readonly ManifestEntry[],
  named: ManifestSchema,
): Promise<ManifestFile> {
  const { store, metadata, ids, snapshotId } = draft;
  const schema = schemaById(metadata, named.schemaId);
  const spec = metadata['partition-specs'].find((s) => s['spec-id'] === specId);
  const header = {
    schema: JSON.stringify(schema),
    'schema-id': String(schema['schema-id']),
    'partition-spec': JSON.stringify(spec?.fields ?? []),
    'partition-spec-id': String(specId),
    'format-version': '2',
    content: 'data',
    ...(named.exact ? { [EXACT_SCHEMA]: 'true' } : {}),
  };
  const body = await writeAvro(manifestEntrySchema(partition), header, entries, syncMarker(ids));
  const location = joinLocation(metadataFolder(metadata), `${ids.uuid()}-m0.avro`);
  await store.write(location, body);
  draft.written.push(location);
  const sequence = BigInt(draft.sequence);
  const live = entries.filter((e) => e.status !== ENTRY_DELETED).map((e) => e.sequence_number ?? sequence);
  return {
    manifest_path: location,
    manifest_length: BigInt(body.length),
    partition_spec_id: specId,
    content: 0,
    sequence_number: sequence,
    min_sequence_number: smallest([sequence, ...live]),
    added_snapshot_id: BigInt(snapshotId),
    ...countEntries(entries),
    partitions: null,
    key_metadata: null,
  };
}

const smallest = (values: readonly bigint[]): bigint => values.toSorted((a, b) => (a < b ? -1 : 1))[0]!;

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

/** Writes the manifest list of the snapshot and gives its location. */
export async function writeManifestList(
  draft: SnapshotDraft,
  parentId: Int64 | null,
  manifests: readonly ManifestFile[],
): Promise<string> {
  const { store, metadata, ids, snapshotId, sequence } = draft;
  const header = {
    'snapshot-id': String(snapshotId),
    'parent-snapshot-id': parentId === null ? 'null' : String(parentId),
    'sequence-number': String(sequence),
    'format-version': '2',
  };
  const body = await writeAvro(MANIFEST_LIST_SCHEMA, header, manifests, syncMarker(ids));
  const location = joinLocation(metadataFolder(metadata), `snap-${snapshotId}-1-${ids.uuid()}.avro`);
  await store.write(location, body);
  draft.written.push(location);
  return location;
}
