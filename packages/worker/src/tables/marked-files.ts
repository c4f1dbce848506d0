import type { ScanFile, TableMetadata } from '@svc/iceberg';
import type { Rewriting } from '@svc/lake/queries';

/** A data file with rows that change, and their number. */
export interface ChangedFile {
  readonly file: ScanFile;
  readonly rows: number;
}

/** Smaller files are copied in less time than readers lose with their position deletes. */
const LARGE_BYTES = 32 * 1024 * 1024;
const LARGE_ROWS = 1_000_000;
/** The largest part of its rows that a file may lose without a copy. */
const LARGEST_PART = 0.01;
/** Each file of position deletes slows down every reader until the next compaction, or until the data file is copied. */
const MAX_DELETE_FILES = 10;

/** The names of Iceberg's properties for the mode of each statement. */
const MODE_PROPERTY: Readonly<Record<Rewriting['kind'], string>> = {
  delete: 'write.delete.mode',
  update: 'write.update.mode',
  merge: 'write.merge.mode',
};

/**
 * Whether a change marks the rows of a file as deleted instead of copying the file. The table's property for the statement decides:
 * `merge-on-read` or `copy-on-write`; without it, whatever is cheaper. Only tables of format version 2 have position deletes whose
 * rows need no ids, and only files of the current partition spec are marked.
 */
export function isMarked(metadata: TableMetadata, kind: Rewriting['kind'], { file, rows }: ChangedFile): boolean {
  const mode = metadata.properties[MODE_PROPERTY[kind]]?.toLowerCase();
  const isCurrent = file.scope?.startsWith(`${metadata['default-spec-id']} `) === true;
  if (metadata['format-version'] !== 2 || !isCurrent || mode === 'copy-on-write') return false;
  if (mode === 'merge-on-read') return true;
  const isLarge = file.bytes >= LARGE_BYTES || file.rows >= LARGE_ROWS;
  return isLarge && rows <= file.rows * LARGEST_PART && file.deletes.length < MAX_DELETE_FILES;
}
