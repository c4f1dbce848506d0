import type { FileStore, StoredFile } from '../files/file-store.ts';
import type { TableState } from '../metadata/metadata.ts';
import { canonical, findOrphanFiles, referencedFiles } from './orphan-files.ts';

const BATCH = 500;

/**
 * Removes the files below a table's location that nothing refers to, and returns their number. While the folder is
 * walked, a commit may start to refer to an old file, such as a copied one. So before a file is removed, it is checked
 * against the latest metadata.
 *
 * @param options.load the metadata that the table's pointer names now; null if nothing may be removed now, for example
 * because the table no longer exists
 * @param options.olderThan milliseconds since 1970; younger files may belong to a commit in progress
 * @param options.isRetained files that belong to others (a table nested in this one's folder)
 * @throws UnsupportedTableError for unreadable metadata, because then no file is known to be an orphan
 */
export async function removeOrphanFiles(options: {
  readonly store: FileStore;
  readonly tableLocation: string;
  readonly load: () => Promise<TableState | null>;
  readonly olderThan: number;
  readonly isRetained?: (object: StoredFile) => boolean;
  readonly signal: AbortSignal;
}): Promise<number> {
  const current = await options.load();
  if (current === null) return 0;
  let removed = 0;
  let batch: string[] = [];
  const removeBatch = async (): Promise<void> => {
    const now = await options.load();
    if (now === null) return;
    const moved = now.metadataLocation !== current.metadataLocation;
    const named = moved ? await referencedFiles(options.store, now) : new Set<string>();
    for (const location of batch) {
      options.signal.throwIfAborted();
      if (!named.has(canonical(location)) && (await options.store.remove(location))) removed += 1;
    }
    batch = [];
  };
  for await (const { location } of findOrphanFiles({ ...options, current })) {
    options.signal.throwIfAborted();
    batch.push(location);
    if (batch.length === BATCH) await removeBatch();
  }
  if (batch.length > 0) await removeBatch();
  return removed;
}
