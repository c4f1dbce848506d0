import type { FileStore } from '../files/file-store.ts';
import { currentSchema, type Snapshot, snapshotOfRef, type TableMetadata } from '../metadata/metadata.ts';
import { nameMappingOf } from '../metadata/name-mapping.ts';
import { describeFiles, type FileReadOptions, type ScanFile, scanFilesOf } from '../scans/scan-files.ts';

/** Target size of a data file, and the size from which a file is left alone. */
const TARGET_BYTES = 256 * 1024 * 1024;
const SMALL_BYTES = TARGET_BYTES * 0.75;

/** Files of the snapshot `base` to rewrite. */
export type CompactionPlan = {
  readonly base: Snapshot;
  /** The table's schema at that time. */
  readonly schemaId: number;
  readonly files: readonly ScanFile[];
  readonly reading: FileReadOptions;
};

/**
 * Chooses what to compact: small files of partitions that have several, and files with deletes. Null if there is
 * nothing to do.
 *
 * @param maxBytes maximum bytes of data files per run; the rest waits for the next one
 */
export async function planCompaction(
  store: FileStore,
  metadata: TableMetadata,
  maxBytes: number,
): Promise<CompactionPlan | null> {
  const base = snapshotOfRef(metadata, 'main');
  if (!base) return null;
  const placed = await describeFiles(store, metadata, base, currentSchema(metadata));
  const files = chosen(scanFilesOf(placed), maxBytes);
  if (files.length === 0) return null;
  const reading = { nameMapping: nameMappingOf(metadata), formerSchemas: metadata.schemas.toReversed() };
  return { base, schemaId: metadata['current-schema-id'], files, reading };
}

function chosen(files: readonly ScanFile[], maxBytes: number): ScanFile[] {
  const groups = new Map<string, ScanFile[]>();
  for (const file of files) {
    const group = groups.get(file.scope!);
    if (group) group.push(file);
    else groups.set(file.scope!, [file]);
  }
  const selected: ScanFile[] = [];
  let bytes = 0;
  for (const group of groups.values()) {
    const small = group.filter((f) => f.bytes < SMALL_BYTES);
    const candidates = small.length > 1 ? small : [];
    for (const file of new Set([...candidates, ...group.filter((f) => f.deletes.length > 0)])) {
      if (bytes > 0 && bytes + file.bytes > maxBytes) return atLeastTwo(selected);
      selected.push(file);
      bytes += file.bytes;
    }
  }
  return selected;
}

/** The limit may have reduced a group of small files to one, which would be rewritten for nothing. */
const atLeastTwo = (selected: ScanFile[]): ScanFile[] =>
  selected.length === 1 && selected[0]!.deletes.length === 0 ? [] : selected;
