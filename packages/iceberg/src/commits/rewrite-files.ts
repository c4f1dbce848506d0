import { isDeepStrictEqual } from 'node:util';
import { sortFieldsOf } from '../maintenance/rewrite-demand.ts';
import type { DescribedFile } from '../manifests/delete-index.ts';
import { DeleteIndex } from '../manifests/delete-index.ts';
import {
  type DataFileRecord,
  ENTRY_ADDED,
  ENTRY_DELETED,
  ENTRY_EXISTING,
  type ManifestEntry,
  type ManifestFile,
  readManifest,
  readManifestList,
} from '../manifests/manifests.ts';
import { partitionRecord } from '../manifests/partition-values.ts';
import { writeManifestList, writeManifests } from '../manifests/write-manifests.ts';
import { currentSchema, type Snapshot, snapshotOfRef, type TableMetadata } from '../metadata/metadata.ts';
import { describeFiles } from '../scans/scan-files.ts';
import type { TableUpdate } from '../updates/draft.ts';
import { deleteFileRecord, type PositionDeletes } from './position-deletes.ts';
import { draftSnapshot, type SnapshotDraft } from './snapshot-draft.ts';
import { hasSpecsOf, mergeManifests, namedSchema, type PreparedCommit, type SnapshotWrite } from './snapshot-writes.ts';

/** Data files of `base`, and the files that replace them. */
export type FileRewrite = Pick<SnapshotWrite, 'store' | 'metadata' | 'now' | 'ids'> & {
  /** The snapshot that was read; null for a table that had none. */
  readonly base: Snapshot | null;
  /** Whether the new files have other rows (default: the same ones in other files). */
  readonly changesRows?: boolean;
  readonly removed: ReadonlySet<string>;
  readonly files: readonly DataFileRecord[];
  /** Rows that are deleted from files that stay (format version 2). */
  readonly deletes?: readonly PositionDeletes[];
  /** Ids of the columns that the rows of every file are sorted by (default: the files already name their order). */
  readonly sortedBy?: readonly number[];
  /** The number of manifests of one spec at which they are merged. */
  readonly mergeAt: number;
};

/** The change to the table's counts. */
type Change = {
  readonly data: readonly DescribedFile[];
  readonly deletes: readonly DescribedFile[];
  readonly addedDeletes: readonly DataFileRecord[];
};

/**
 * A snapshot of `main` with other files.
 *
 * Null if the table no longer has the partition spec of one of the new files.
 *
 * With the same rows: concurrent appends and equality deletes remain in effect, because the new files take the sequence
 * number of the snapshot that was read. Null if one of the files was removed or got position deletes since then, because its
 * rows are no longer the same.
 *
 * With other rows: null if there is a later snapshot than the one that was read. Its rows could change the result.
 */
export async function prepareRewrite(rewrite: FileRewrite): Promise<PreparedCommit | null> {
  const { store, metadata, base, changesRows = false } = rewrite;
  const head = snapshotOfRef(metadata, 'main') ?? null;
  if (changesRows ? head?.['snapshot-id'] !== base?.['snapshot-id'] : !head) return null;
  if (!hasSpecsOf(metadata, rewrite.files)) return null;
  const placed = head ? await describeFiles(store, metadata, head, currentSchema(metadata)) : [];
  const change = changeOf(rewrite, placed);
  if (change === null) return null;
  const order = orderFor(metadata, rewrite.sortedBy ?? []);
  const files = order === null ? rewrite.files : rewrite.files.map((f) => ({ ...f, sort_order_id: order.id }));
  const prepared = await draftSnapshot(rewrite, (draft) => prepare(draft, { ...rewrite, files }, head, change));
  return order === null ? prepared : { ...prepared, updates: [...order.updates, ...prepared.updates] };
}

/** The id of a sort order, and the update that adds it if the table doesn't have it. The default order stays. */
function orderFor(
  metadata: TableMetadata,
  columns: readonly number[],
): { readonly id: number; readonly updates: readonly TableUpdate[] } | null {
  if (columns.length === 0) return null;
  const orders = metadata['sort-orders'];
  const fields = sortFieldsOf(columns);
  const existing = orders.find((order) => isDeepStrictEqual(order.fields, fields));
  if (existing) return { id: existing['order-id'], updates: [] };
  const id = Math.max(0, ...orders.map((order) => order['order-id'])) + 1;
  return { id, updates: [{ action: 'add-sort-order', 'sort-order': { 'order-id': id, fields } }] };
}

function changeOf(
  { base, removed, deletes: added = [] }: FileRewrite,
  placed: readonly DescribedFile[],
): Change | null {
  const deletes = placed.filter((p) => p.data_file.content !== 0);
  const data = placed.filter((p) => p.data_file.content === 0);
  const removedData = data.filter((p) => removed.has(p.data_file.file_path));
  if (removedData.length !== removed.size) return null;
  const index = new DeleteIndex(deletes);
  const baseSequence = BigInt(base?.['sequence-number'] ?? 0);
  const changed = removedData.some((p) =>
    index.entriesOf(p).some((d) => d.data_file.content === 1 && d.sequence_number > baseSequence),
  );
  if (changed) return null;
  const needed = new Set(data.filter((p) => !removed.has(p.data_file.file_path)).flatMap((p) => index.entriesOf(p)));
  // A delete that no longer applies to any file, including the new ones, is obsolete.
  const spent = deletes.filter((d) => !needed.has(d) && d.sequence_number <= baseSequence);
  const stays = new Map(data.map((p) => [p.data_file.file_path, p]));
  const addedDeletes = added.map((deleted) => deleteFileRecord(deleted, stays.get(deleted.of)!));
  return { data: removedData, deletes: spent, addedDeletes };
}

async function prepare(
  draft: SnapshotDraft,
  rewrite: FileRewrite,
  head: Snapshot | null,
  change: Change,
): Promise<PreparedCommit> {
  const { metadata, snapshotId, sequence } = draft;
  const removedPaths = new Set([...change.data, ...change.deletes].map((p) => p.data_file.file_path));
  const manifests = await readManifestList(draft.store, head);
  const carriedOver = await mergeManifests(
    draft,
    await withoutFiles(draft, manifests, removedPaths, change.deletes),
    rewrite.mergeAt,
  );
  const added = [
    ...(await writeNew(draft, rewrite, rewrite.files, 0)),
    ...(await writeNew(draft, rewrite, change.addedDeletes, 1)),
  ];
  const parentId = head?.['snapshot-id'] ?? null;
  const list = await writeManifestList(draft, parentId, [...added, ...carriedOver]);
  const snapshot: Snapshot = {
    'snapshot-id': snapshotId,
    ...(parentId === null ? {} : { 'parent-snapshot-id': parentId }),
    'sequence-number': sequence,
    'timestamp-ms': Math.max(rewrite.now, metadata['last-updated-ms']),
    'manifest-list': list.location,
    summary: { ...summaryOf(head, rewrite.files, change), ...(rewrite.changesRows ? { operation: 'overwrite' } : {}) },
    'schema-id': metadata['current-schema-id'],
    ...list.lineage,
  };
  const updates: TableUpdate[] = [
    { action: 'add-snapshot', snapshot },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': snapshotId },
  ];
  const requirements = [
    { type: 'assert-table-uuid', uuid: metadata['table-uuid'] },
    { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': parentId },
  ];
  return { requirements, updates, written: draft.written, snapshotId };
}

/** The manifests with the files recorded as removed; manifests without any of them stay unchanged. */
async function withoutFiles(
  draft: SnapshotDraft,
  manifests: readonly ManifestFile[],
  removedPaths: ReadonlySet<string>,
  deletes: readonly DescribedFile[],
): Promise<ManifestFile[]> {
  const result: ManifestFile[] = [];
  for (const manifest of manifests) {
    if (manifest.content !== 0 && deletes.length === 0) {
      result.push(manifest);
      continue;
    }
    const read = await readManifest(draft.store, manifest);
    // One Puffin file contains the vectors of many data files, so it is removed only as a whole.
    const isGone = (e: ManifestEntry) =>
      removedPaths.has(e.data_file.file_path) && (e.data_file.content === 0 || isSpent(e, deletes));
    if (!read.entries.some(isGone)) {
      if (read.entries.length > 0) result.push(manifest);
      continue;
    }
    const entries = read.entries.map((e) =>
      isGone(e)
        ? { ...e, status: ENTRY_DELETED, snapshot_id: BigInt(draft.snapshotId) }
        : { ...e, status: ENTRY_EXISTING },
    );
    const named = namedSchema(draft.metadata, read);
    const content = manifest.content === 0 ? 0 : 1;
    result.push(...(await writeManifests(draft, manifest.partition_spec_id, read.partition, entries, named, content)));
  }
  return result;
}

function isSpent(entry: ManifestEntry, deletes: readonly DescribedFile[]): boolean {
  const { file_path, content_offset } = entry.data_file;
  return deletes.some(
    ({ data_file: d }) => d.file_path === file_path && (d.content_offset ?? null) === (content_offset ?? null),
  );
}

async function writeNew(
  draft: SnapshotDraft,
  { base, changesRows }: FileRewrite,
  files: readonly DataFileRecord[],
  content: 0 | 1,
): Promise<ManifestFile[]> {
  const { metadata, snapshotId } = draft;
  const specOf = (file: DataFileRecord) => file.spec_id ?? metadata['default-spec-id'];
  const manifests: ManifestFile[] = [];
  for (const id of new Set(files.map(specOf))) {
    const group = files.filter((file) => specOf(file) === id);
    const spec = metadata['partition-specs'].find((s) => s['spec-id'] === id)!;
    const entries = group.map((data_file) => ({
      status: ENTRY_ADDED,
      snapshot_id: BigInt(snapshotId),
      // Without one, the file gets that of its snapshot.
      sequence_number: changesRows || base === null ? null : BigInt(base['sequence-number']),
      file_sequence_number: null,
      data_file,
    }));
    const own = { schemaId: metadata['current-schema-id'], exact: content === 0 };
    const partition = partitionRecord(currentSchema(metadata), spec);
    manifests.push(...(await writeManifests(draft, id, partition, entries, own, content)));
  }
  return manifests;
}

function summaryOf(
  head: Snapshot | null,
  files: readonly DataFileRecord[],
  { data, deletes, addedDeletes }: Change,
): Snapshot['summary'] {
  const sum = (list: readonly DataFileRecord[], of: (f: DataFileRecord) => bigint) =>
    list.reduce((total, f) => total + of(f), 0n);
  const removedFiles = data.map((p) => p.data_file);
  const rows = (list: readonly DataFileRecord[]) => sum(list, (f) => f.record_count);
  const bytes = (list: readonly DataFileRecord[]) => sum(list, (f) => f.file_size_in_bytes);
  const count = (list: readonly unknown[]) => BigInt(list.length);
  const spent = deletes.map((p) => p.data_file);
  const [positions, keys] = [spent.filter((d) => d.content === 1), spent.filter((d) => d.content === 2)];
  const total = (key: string, change: bigint) => {
    const after = BigInt(head?.summary[key] ?? 0) + change;
    return String(after < 0n ? 0n : after);
  };
  return {
    operation: 'replace',
    'added-data-files': String(files.length),
    'added-records': String(rows(files)),
    'added-files-size': String(bytes(files) + bytes(addedDeletes)),
    ...(addedDeletes.length === 0
      ? {}
      : {
          'added-delete-files': String(addedDeletes.length),
          'added-position-delete-files': String(addedDeletes.length),
          'added-position-deletes': String(rows(addedDeletes)),
        }),
    'deleted-data-files': String(removedFiles.length),
    'deleted-records': String(rows(removedFiles)),
    'removed-files-size': String(bytes(removedFiles) + bytes(spent)),
    'removed-delete-files': String(spent.length),
    'total-records': total('total-records', rows(files) - rows(removedFiles)),
    'total-data-files': total('total-data-files', count(files) - count(removedFiles)),
    'total-files-size': total(
      'total-files-size',
      bytes(files) + bytes(addedDeletes) - bytes(removedFiles) - bytes(spent),
    ),
    'total-delete-files': total('total-delete-files', count(addedDeletes) - count(spent)),
    'total-position-deletes': total('total-position-deletes', rows(addedDeletes) - rows(positions)),
    'total-equality-deletes': total('total-equality-deletes', -rows(keys)),
  };
}
