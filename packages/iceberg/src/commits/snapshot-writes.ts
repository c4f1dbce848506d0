import type { FileStore } from '../files/file-store.ts';
import {
  type DataFileRecord,
  ENTRY_DELETED,
  ENTRY_EXISTING,
  type ManifestEntry,
  type ManifestFile,
  type ReadManifest,
  readManifest,
  readManifestList,
} from '../manifests/manifests.ts';
import { leafCount } from '../manifests/statistics.ts';
import type { AvroSchema } from '../manifests/write-avro.ts';
import {
  itemsOfFile,
  MANIFEST_ITEMS,
  type ManifestSchema,
  writeManifestList,
  writeManifests,
} from '../manifests/write-manifests.ts';
import { currentSchema, type Snapshot, snapshotOfRef, type TableMetadata } from '../metadata/metadata.ts';
import { isOwnFile } from '../scans/scan-files.ts';
import type { TableUpdate } from '../updates/draft.ts';
import type { TableRequirement } from '../updates/requirements.ts';
import { writeAdded } from './added-files.ts';
import { draftSnapshot, type SnapshotDraft } from './snapshot-draft.ts';
import type { TableIds } from './table-ids.ts';

/** A prepared commit, and the files to remove if it fails. */
export type PreparedCommit = {
  readonly requirements: readonly TableRequirement[];
  readonly updates: readonly TableUpdate[];
  readonly written: readonly string[];
  readonly snapshotId: number;
};

export type SnapshotWrite = {
  readonly store: FileStore;
  readonly metadata: TableMetadata;
  /** The new data files; `append` adds them, `replace` replaces all others with them. */
  readonly files: readonly DataFileRecord[];
  readonly mode: 'append' | 'replace';
  /** The branch to write to (default `main`); created from `main` if it doesn't exist. */
  readonly branch?: string;
  /** Additional entries of the snapshot's summary. */
  readonly summary?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly ids: TableIds;
};

/** Number of manifests of one partition spec at which an append merges them. */
export const MERGE_MANIFESTS_AT = 100;

/** Writes the manifests and the manifest list of a new snapshot; removes them again if it fails. */
export function prepareSnapshot(write: SnapshotWrite): Promise<PreparedCommit> {
  return draftSnapshot(write, (draft) => prepare(draft, write));
}

async function prepare(draft: SnapshotDraft, write: SnapshotWrite): Promise<PreparedCommit> {
  const { metadata, snapshotId, sequence } = draft;
  const branch = write.branch ?? 'main';
  const head = snapshotOfRef(metadata, branch);
  const parent = head ?? snapshotOfRef(metadata, 'main');
  const manifests = await readManifestList(draft.store, parent);
  const removed = { files: 0, rows: 0n, bytes: 0n };
  const carriedOver =
    write.mode === 'append'
      ? await mergeManifests(draft, manifests, MERGE_MANIFESTS_AT)
      : await deleteAll(draft, manifests, removed);
  const spec = unpartitionedSpec(metadata, write.files);
  const added = await writeAdded(draft, write.files, spec.id);
  const parentId = parent?.['snapshot-id'] ?? null;
  const list = await writeManifestList(draft, parentId, [...added, ...carriedOver]);
  const snapshot: Snapshot = {
    'snapshot-id': snapshotId,
    ...(parentId === null ? {} : { 'parent-snapshot-id': parentId }),
    'sequence-number': sequence,
    'timestamp-ms': Math.max(write.now, metadata['last-updated-ms']),
    'manifest-list': list.location,
    summary: { ...summaryOf(write, parent, removed), ...write.summary },
    'schema-id': metadata['current-schema-id'],
    ...list.lineage,
  };
  return {
    requirements: [
      { type: 'assert-table-uuid', uuid: metadata['table-uuid'] },
      { type: 'assert-ref-snapshot-id', ref: branch, 'snapshot-id': head?.['snapshot-id'] ?? null },
      { type: 'assert-current-schema-id', 'current-schema-id': metadata['current-schema-id'] },
    ],
    updates: [
      ...spec.updates,
      { action: 'add-snapshot', snapshot },
      { action: 'set-snapshot-ref', 'ref-name': branch, type: 'branch', 'snapshot-id': snapshotId },
    ],
    written: draft.written,
    snapshotId,
  };
}

/** Whether the table has the partition specs of the files: it may have removed one since they were written. */
export function hasSpecsOf(
  { 'partition-specs': specs }: TableMetadata,
  files: readonly Pick<DataFileRecord, 'spec_id'>[],
): boolean {
  const known = new Set<number | undefined>([undefined, ...specs.map((spec) => spec['spec-id'])]);
  return files.every((file) => known.has(file.spec_id));
}

/** The spec of unpartitioned files; added if the table has none, for example because another engine created it. */
function unpartitionedSpec(
  metadata: TableMetadata,
  files: readonly DataFileRecord[],
): { id: number; updates: TableUpdate[] } {
  const specs = metadata['partition-specs'];
  const unpartitioned = specs.find((s) => s.fields.length === 0);
  if (unpartitioned) return { id: unpartitioned['spec-id'], updates: [] };
  const id = Math.max(...specs.map((s) => s['spec-id'])) + 1;
  if (files.every((file) => file.spec_id !== undefined)) return { id, updates: [] };
  return { id, updates: [{ action: 'add-spec', spec: { 'spec-id': id, fields: [] } }] };
}

/**
 * Manifests of data files; the small ones of a spec are merged once there are enough of them. An engine may have named manifests of
 * another table, whose contents must not be copied into this one.
 */
export async function mergeManifests(
  draft: SnapshotDraft,
  manifests: readonly ManifestFile[],
  mergeAt: number,
): Promise<ManifestFile[]> {
  const largest = MANIFEST_ITEMS / itemsOfFile(leafCount(currentSchema(draft.metadata))) / 2;
  const isMerged = (m: ManifestFile) =>
    m.content === 0 && isOwnFile(draft.metadata, m.manifest_path) && filesOf(m) <= largest;
  const result = manifests.filter((m) => !isMerged(m));
  for (const [specId, group] of groupBySpec(manifests.filter(isMerged))) {
    if (group.length < mergeAt) result.push(...group);
    else result.push(...(await mergeGroup(draft, specId, group)));
  }
  return result;
}

/** Files in the manifest; 0 if its list doesn't have the counts. */
const filesOf = ({ added_files_count: added, existing_files_count: existing }: ManifestFile): number =>
  (added ?? 0) + (existing ?? 0);

function groupBySpec(manifests: readonly ManifestFile[]): Map<number, ManifestFile[]> {
  const groups = new Map<number, ManifestFile[]>();
  for (const m of manifests) groups.set(m.partition_spec_id, [...(groups.get(m.partition_spec_id) ?? []), m]);
  return groups;
}

/** One manifest for each schema that the files were written with, so that readers still find it. */
async function mergeGroup(
  draft: SnapshotDraft,
  specId: number,
  group: readonly ManifestFile[],
): Promise<ManifestFile[]> {
  const bySchema = new Map<string, { entries: ManifestEntry[]; partition: AvroSchema; mapped: ManifestSchema }>();
  // Some of them may be manifests of this draft that are still being written.
  await Promise.all(draft.writing);
  for (const manifest of group) {
    const read = await readManifest(draft.store, manifest);
    const mapped = namedSchema(draft.metadata, read);
    const key = `${mapped.schemaId} ${mapped.exact}`;
    const merged = bySchema.get(key) ?? { entries: [], partition: read.partition, mapped };
    bySchema.set(key, merged);
    for (const entry of read.entries) merged.entries.push({ ...entry, status: ENTRY_EXISTING });
  }
  const result: ManifestFile[] = [];
  for (const { entries, partition, mapped } of bySchema.values()) {
    result.push(...(await writeManifests(draft, specId, partition, entries, mapped)));
  }
  return result;
}

/** The schema to record for files read from a manifest. */
export function namedSchema(metadata: TableMetadata, read: ReadManifest): ManifestSchema {
  const known = metadata.schemas.some((s) => s['schema-id'] === read.schemaId);
  return known
    ? { schemaId: read.schemaId!, exact: read.exactSchema }
    : { schemaId: metadata['current-schema-id'], exact: false };
}

type Removed = { files: number; rows: bigint; bytes: bigint };

/** Records every data file as deleted in this snapshot; omits delete files, which no longer apply to anything, and manifests of other tables. */
async function deleteAll(draft: SnapshotDraft, manifests: readonly ManifestFile[], removed: Removed) {
  const result: ManifestFile[] = [];
  for (const manifest of manifests) {
    if (manifest.content !== 0 || !isOwnFile(draft.metadata, manifest.manifest_path)) continue;
    const read = await readManifest(draft.store, manifest);
    const { entries, partition } = read;
    if (entries.length === 0) continue;
    const deleted = entries.map((e) => ({ ...e, status: ENTRY_DELETED, snapshot_id: BigInt(draft.snapshotId) }));
    result.push(
      ...(await writeManifests(
        draft,
        manifest.partition_spec_id,
        partition,
        deleted,
        namedSchema(draft.metadata, read),
      )),
    );
    for (const { data_file } of entries) {
      removed.files += 1;
      removed.rows += data_file.record_count;
      removed.bytes += data_file.file_size_in_bytes;
    }
  }
  return result;
}

function summaryOf(write: SnapshotWrite, parent: Snapshot | null, removed: Removed): Snapshot['summary'] {
  const rows = write.files.reduce((sum, f) => sum + f.record_count, 0n);
  const bytes = write.files.reduce((sum, f) => sum + f.file_size_in_bytes, 0n);
  const before = (key: string) => BigInt(parent?.summary[key] ?? 0);
  const replaced = write.mode === 'replace';
  const total = (key: string, added: bigint) => String(replaced ? added : before(key) + added);
  return {
    operation: replaced && parent ? 'overwrite' : 'append',
    'added-data-files': String(write.files.length),
    'added-records': String(rows),
    'added-files-size': String(bytes),
    ...(removed.files > 0
      ? {
          'deleted-data-files': String(removed.files),
          'deleted-records': String(removed.rows),
          'removed-files-size': String(removed.bytes),
        }
      : {}),
    'total-records': total('total-records', rows),
    'total-data-files': total('total-data-files', BigInt(write.files.length)),
    'total-files-size': total('total-files-size', bytes),
    'total-delete-files': total('total-delete-files', 0n),
    'total-position-deletes': total('total-position-deletes', 0n),
    'total-equality-deletes': total('total-equality-deletes', 0n),
  };
}
