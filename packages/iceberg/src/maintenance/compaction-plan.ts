import type { FileStore } from '../files/file-store.ts';
import { currentSchema, type Snapshot, snapshotOfRef, type TableMetadata } from '../metadata/metadata.ts';
import { nameMappingOf } from '../metadata/name-mapping.ts';
import { describeFiles, type FileReadOptions, type ScanFile, scanFilesOf } from '../scans/scan-files.ts';
import { lacking, type RewriteDemand } from './rewrite-demand.ts';

/** Target size of a data file, and the size from which a file is left alone. */
const TARGET_BYTES = 256 * 1024 * 1024;
export const SMALL_BYTES: number = TARGET_BYTES * 0.75;

/** Files of the snapshot `base` to rewrite. */
export type CompactionPlan = {
  readonly base: Snapshot;
  /** The table's schema at that time. */
  readonly schemaId: number;
  readonly files: readonly ScanFile[];
  readonly reading: FileReadOptions;
};

const NO_DEMAND: RewriteDemand = { sortedBy: [], filtered: [] };

/**
 * Chooses what to compact: small files of partitions that have several, files with deletes, and files that lack what is
 * demanded. Null if there is nothing to do.
 *
 * @param maxBytes maximum bytes of data files per run; the rest waits for the next one
 */
export async function planCompaction(
  store: FileStore,
  metadata: TableMetadata,
  maxBytes: number,
  demand = NO_DEMAND,
): Promise<CompactionPlan | null> {
  const base = snapshotOfRef(metadata, 'main');
  if (!base) return null;
  const placed = await describeFiles(store, metadata, base, currentSchema(metadata));
  const lacks = lacking(demand, metadata);
  const outdated = new Set(
    placed.filter((p) => p.data_file.content === 0 && lacks(p.data_file)).map((p) => p.data_file.file_path),
  );
  const needsRewrite = (file: ScanFile) => file.deletes.length > 0 || outdated.has(file.location);
  const files = chosen(scanFilesOf(placed), needsRewrite, maxBytes);
  if (files.length === 0) return null;
  const reading = { nameMapping: nameMappingOf(metadata), formerSchemas: metadata.schemas.toReversed() };
  return { base, schemaId: metadata['current-schema-id'], files, reading };
}

function chosen(files: readonly ScanFile[], needsRewrite: (file: ScanFile) => boolean, maxBytes: number): ScanFile[] {
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
    for (const file of new Set([...candidates, ...group.filter(needsRewrite)])) {
      if (bytes > 0 && bytes + file.bytes > maxBytes) return atLeastTwo(selected, needsRewrite);
      selected.push(file);
      bytes += file.bytes;
    }
  }
  return selected;
}

/** The limit may have reduced a group of small files to one, which would be rewritten for nothing. */
const atLeastTwo = (selected: ScanFile[], needsRewrite: (file: ScanFile) => boolean): ScanFile[] =>
  selected.length === 1 && !needsRewrite(selected[0]!) ? [] : selected;
