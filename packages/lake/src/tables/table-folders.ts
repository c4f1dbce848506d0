import type { FileStore, ListOptions } from '@svc/iceberg';

/** A folder with its contents; `youngest` is when its last file changed, in milliseconds since 1970. */
export interface TableFolder {
  location: string;
  files: number;
  bytes: number;
  youngest: number;
}

/**
 * The folders `depth` levels below a location, in batches, from one walk over its files. Memory is limited to one batch,
 * provided that the store lists the files of a folder consecutively.
 */
export async function* tableFolders(
  store: FileStore,
  root: string,
  depth: number,
  batch: number,
  options: ListOptions = {},
): AsyncGenerator<TableFolder[]> {
  let found: TableFolder[] = [];
  let current: TableFolder = { location: '', files: 0, bytes: 0, youngest: 0 };
  for await (const { location, size, modifiedAt } of store.list(root, options)) {
    const parts = location.slice(root.length + 1).split('/');
    const names = parts.slice(0, depth);
    // Locations have no slash at their end, so a folder without a name would be taken for the folder around it.
    if (parts.length <= depth || names.includes('')) continue;
    const folder = `${root}/${names.join('/')}`;
    if (current.location !== folder) {
      if (found.length >= batch) {
        yield found;
        found = [];
      }
      current = { location: folder, files: 0, bytes: 0, youngest: 0 };
      found.push(current);
    }
    current.files += 1;
    current.bytes += size;
    current.youngest = Math.max(current.youngest, modifiedAt);
  }
  if (found.length > 0) yield found;
}
