import type { FileStore } from '../files/file-store.ts';
import type { TableMetadata } from '../metadata/metadata.ts';
import type { TableIds } from './table-ids.ts';

/** The state of one new snapshot, with its files so far, which are removed if the commit fails. */
export type SnapshotDraft = {
  readonly store: FileStore;
  readonly metadata: TableMetadata;
  readonly snapshotId: number;
  readonly sequence: number;
  readonly ids: TableIds;
  readonly written: string[];
  readonly writing: Promise<unknown>[];
};

/** Drafts a snapshot: returns when all its files are written, and removes them on failure. */
export async function draftSnapshot<R>(
  { store, metadata, ids }: Pick<SnapshotDraft, 'store' | 'metadata' | 'ids'>,
  work: (draft: SnapshotDraft) => Promise<R>,
): Promise<R> {
  const snapshotId = ids.snapshotId();
  const sequence = metadata['last-sequence-number'] + 1;
  const draft: SnapshotDraft = { store, metadata, snapshotId, sequence, ids, written: [], writing: [] };
  try {
    const result = await work(draft);
    await Promise.all(draft.writing);
    return result;
  } catch (error) {
    await Promise.allSettled(draft.writing);
    await removeFiles(store, draft.written);
    throw error;
  }
}

/** Starts to write a file of the draft: files that refer to it needn't wait for the disk. */
export function startWriting(draft: SnapshotDraft, location: string, body: Uint8Array): void {
  const writing = draft.store.write(location, body).then(() => draft.written.push(location));
  writing.catch(() => undefined);
  draft.writing.push(writing);
}

/**
 * Removes unreferenced files by location, ignoring files that no longer exist. If the storage is unavailable, the files
 * stay for the orphan sweep: the operation that they belonged to has already finished, or failed for another reason.
 */
export async function removeFiles(store: FileStore, locations: readonly string[]): Promise<void> {
  try {
    for (const location of locations) await store.remove(location);
  } catch (error) {
    if (!store.isUnavailable(error)) throw error;
  }
}
