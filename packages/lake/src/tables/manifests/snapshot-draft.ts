import { isOutage, type ObjectStore } from '../../storage/index.ts';
import type { TableMetadata } from '../metadata/metadata.ts';

/** Where names and ids come from; passed in so that tests can repeat a history. */
export type TableIds = {
  readonly uuid: () => string;
  /** Above 0 and below 2^53; see `snapshotIdFrom`. */
  readonly snapshotId: () => number;
};

/** What one new snapshot writes, and its files so far, to be removed should the commit fail. */
export type SnapshotDraft = {
  readonly store: ObjectStore;
  readonly metadata: TableMetadata;
  readonly snapshotId: number;
  readonly sequence: number;
  readonly ids: TableIds;
  readonly written: string[];
  readonly writing: Promise<unknown>[];
};

/** Drafts a snapshot: ends when all its files are written; removes them when it fails. */
export async function drafted<R>(
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

/** Begins to write a file of the draft: what names it need not wait for the disk. */
export function beginWriting(draft: SnapshotDraft, location: string, body: Uint8Array): void {
  const writing = draft.store.write(location, body).then(() => draft.written.push(location));
  writing.catch(() => undefined);
  draft.writing.push(writing);
}

/**
 * Removes files that nothing refers to, by location; what is gone already is no error. While the storage is away they stay
 * for the orphan sweep: what they are removed for has ended, or failed for a reason of its own.
 */
export async function removeFiles(store: ObjectStore, locations: readonly string[]): Promise<void> {
  try {
    for (const location of locations) await store.remove(location);
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
}
