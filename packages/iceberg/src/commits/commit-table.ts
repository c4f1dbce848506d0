import { isDeepStrictEqual } from 'node:util';
import type { FileStore } from '../files/file-store.ts';
import { joinLocation } from '../files/locations.ts';
import { currentSchema, type IcebergSchema, type TableMetadata, type TableState } from '../metadata/metadata.ts';
import { cacheMetadata } from '../metadata/metadata-cache.ts';
import { formatMetadata, refusalOfSize } from '../metadata/metadata-json.ts';
import { applyUpdates } from '../updates/apply-updates.ts';
import type { CommitFailure, TableUpdate } from '../updates/draft.ts';
import type { TableRequirement } from '../updates/requirements.ts';
import { removeFiles } from './snapshot-draft.ts';
import { hasSpecsOf, type PreparedCommit, prepareSnapshot, type SnapshotWrite } from './snapshot-writes.ts';
import type { TableIds } from './table-ids.ts';

/**
 * The database's compare-and-swap of the pointer; false if it no longer names the version that the commit started from.
 */
export type SwapPointer = (next: TableState) => Promise<boolean>;

export type CommitResult = ({ readonly ok: true } & TableState) | CommitFailure;

const METADATA_LOG_DEFAULT = 100;

/**
 * The only way to change a table: checks the requirements, applies the updates, writes the new metadata file and swaps
 * the pointer. A lost swap is a `conflict` and leaves no file.
 *
 * @param options.current null to create the table
 * @param options.now milliseconds since 1970
 */
export async function commitTable(options: {
  readonly store: FileStore;
  readonly current: TableState | null;
  readonly requirements: readonly TableRequirement[];
  readonly updates: readonly TableUpdate[];
  readonly now: number;
  readonly ids: TableIds;
  readonly swap: SwapPointer;
}): Promise<CommitResult> {
  const { current, store } = options;
  const applied = applyUpdates(current?.metadata ?? null, options.requirements, options.updates, options.now);
  if (!applied.ok) return applied;
  const metadata = current ? withLogEntry(applied.metadata, current) : applied.metadata;
  const text = formatMetadata(metadata, current?.metadata ?? null);
  const refusal = refusalOfSize(text);
  if (refusal !== null) {
    const message = `The metadata file of the table would ${refusal}. Expire snapshots, or set fewer properties.`;
    return { ok: false, kind: 'invalid', message };
  }
  const metadataLocation = metadataFile(metadata, nextVersion(current), options.ids);
  await store.write(metadataLocation, text);
  const result = await swapOrRemove(options.swap, { metadataLocation, metadata }, () =>
    removeFiles(store, [metadataLocation]),
  );
  // Only after the swap: until then others request the previous version, and nobody requests the file of a lost swap.
  if (result.ok) cacheMetadata(store, metadataLocation, { text, metadata });
  return result;
}

async function swapOrRemove(swap: SwapPointer, next: TableState, undo: () => Promise<unknown>): Promise<CommitResult> {
  let swapped: boolean;
  try {
    swapped = await swap(next);
  } catch (error) {
    // The outcome is unknown: the file must stay in case the swap succeeded. Otherwise the orphan sweep removes it.
    throw new CommitStateUnknownError(error);
  }
  if (swapped) return { ok: true, ...next };
  await undo();
  return { ok: false, kind: 'conflict', message: 'Another commit changed the table concurrently.' };
}

/** The swap failed without reporting whether it took place; the written files stay for the orphan sweep. */
export class CommitStateUnknownError extends Error {
  constructor(cause: unknown) {
    super('It is unknown whether the commit succeeded.', { cause });
    this.name = 'CommitStateUnknownError';
  }
}

/** Writes the metadata of a new table and returns the state to register. */
export async function writeNewTable(store: FileStore, metadata: TableMetadata, ids: TableIds): Promise<TableState> {
  const metadataLocation = metadataFile(metadata, 0, ids);
  const text = formatMetadata(metadata);
  await store.write(metadataLocation, text);
  cacheMetadata(store, metadataLocation, { text, metadata });
  return { metadataLocation, metadata };
}

/** The location of a new metadata file. */
function metadataFile({ location }: TableMetadata, version: number, ids: TableIds): string {
  return joinLocation(`${location}/metadata`, `${String(version).padStart(5, '0')}-${ids.uuid()}.metadata.json`);
}

function nextVersion(current: TableState | null): number {
  const match = current && /\/(\d+)-[^/]*\.metadata\.json$/.exec(current.metadataLocation);
  return match ? Number(match[1]) + 1 : current ? current.metadata['metadata-log'].length + 1 : 0;
}

function withLogEntry(metadata: TableMetadata, previous: TableState): TableMetadata {
  const limit = Number(metadata.properties['write.metadata.previous-versions-max'] ?? METADATA_LOG_DEFAULT);
  const entry = {
    'timestamp-ms': previous.metadata['last-updated-ms'],
    'metadata-file': previous.metadataLocation,
  };
  const retained = Number.isSafeInteger(limit) && limit >= 1 ? limit : METADATA_LOG_DEFAULT;
  return { ...metadata, 'metadata-log': [...metadata['metadata-log'], entry].slice(-retained) };
}

export type FileCommitResult = ({ readonly ok: true; readonly snapshotId: number } & TableState) | CommitFailure;

/**
 * Adds data files to a table, or replaces its contents with them, as one new snapshot. If another commit wins the race,
 * the snapshot is rebuilt on the winner's: an append or a full replacement is correct on any predecessor with the same
 * schema. If the commit fails permanently, its manifests and data files are removed.
 *
 * @param options.load the pointer's current state; null if the table no longer exists
 * @param options.alone runs load, prepare and swap while nobody else can swap: used after some lost races, so that a
 * commit finishes however many writers the table has
 */
export async function commitFiles(
  options: Omit<SnapshotWrite, 'metadata'> & {
    readonly load: () => Promise<TableState | null>;
    readonly swap: (next: TableState, previous: TableState) => Promise<boolean>;
    /** The schema the files were written for; if the table's schema has changed since, the commit conflicts. */
    readonly schemaId: number;
    /**
     * From `evolveSchema`, if the files were written for the schema that these updates create; a branch gets only the
     * schema.
     */
    readonly schemaUpdates?: readonly TableUpdate[];
    /** A branch to remove in the same commit. */
    readonly dropBranch?: string;
    readonly alone?: <R>(work: () => Promise<R>) => Promise<R>;
  },
): Promise<FileCommitResult> {
  let result: FileCommitResult | 'lost' = 'lost';
  for (let race = 0; race < RACES && result === 'lost'; race++) result = await tryOn(options);
  if (result === 'lost') result = await (options.alone ?? ((work) => work()))(() => tryOn(options));
  if (result === 'lost') result = conflict('Other commits changed the table at every attempt.');
  if (result.ok) return result;
  await removeFiles(
    options.store,
    options.files.map((f) => f.file_path),
  );
  return result;
}

/** The number of lost races after which a commit makes other writers wait. */
const RACES = 4;

const conflict = (message: string): CommitFailure => ({ ok: false, kind: 'conflict', message });

/** One attempt on the table's current state; `lost` if another commit came first. */
async function tryOn(options: FileCommitOptions): Promise<FileCommitResult | 'lost'> {
  const current = await options.load();
  if (!current) return conflict("The table doesn't exist or was dropped.");
  if (!hasColumnsOf(current.metadata, options)) return conflict("The table's columns changed concurrently.");
  if (!hasSpecsOf(current.metadata, options.files))
    return conflict("The table's partition specs changed concurrently.");
  const prepared = await prepareSnapshot({ ...options, metadata: withSchema(current.metadata, options) });
  const result = await tryOnce(options, current, prepared);
  if (result.ok) return result;
  await removeFiles(options.store, prepared.written);
  return result.kind === 'conflict' ? 'lost' : result;
}

/** True while the files match the table: a column with a changed description is still the same column. */
function hasColumnsOf(metadata: TableMetadata, { schemaId, schemaUpdates = [] }: FileCommitOptions): boolean {
  if (metadata['current-schema-id'] === schemaId) return true;
  const written = metadata.schemas.find((schema) => schema['schema-id'] === schemaId);
  if (written === undefined || schemaUpdates.length > 0) return false;
  const bare = (schema: IcebergSchema) => schema.fields.map(({ doc: _, ...field }) => field);
  return isDeepStrictEqual(bare(written), bare(currentSchema(metadata)));
}

type FileCommitOptions = Parameters<typeof commitFiles>[0];

/** The metadata for the new snapshot: with the schema its files were written for. */
function withSchema(metadata: TableMetadata, { schemaUpdates = [], now }: FileCommitOptions): TableMetadata {
  if (schemaUpdates.length === 0) return metadata;
  const applied = applyUpdates(metadata, [], schemaUpdates, now);
  if (!applied.ok) throw new Error(applied.message);
  return applied.metadata;
}

function updatesOf(options: FileCommitOptions, current: TableState, prepared: PreparedCommit): TableUpdate[] {
  const { schemaUpdates = [], branch, dropBranch } = options;
  const onMain = branch === undefined || branch === 'main';
  const drop = dropBranch !== undefined && dropBranch in current.metadata.refs;
  return [
    ...schemaUpdates.filter((update) => onMain || update.action === 'add-schema'),
    ...prepared.updates,
    ...(drop ? [{ action: 'remove-snapshot-ref', 'ref-name': dropBranch }] : []),
  ];
}

async function tryOnce(
  options: FileCommitOptions,
  current: TableState,
  prepared: PreparedCommit,
): Promise<FileCommitResult> {
  const result = await commitTable({
    store: options.store,
    current,
    requirements: [
      ...prepared.requirements.filter((requirement) => requirement.type !== 'assert-current-schema-id'),
      { type: 'assert-current-schema-id', 'current-schema-id': current.metadata['current-schema-id'] },
    ],
    updates: updatesOf(options, current, prepared),
    now: options.now,
    ids: options.ids,
    swap: (next) => options.swap(next, current),
  });
  return result.ok ? { ...result, snapshotId: prepared.snapshotId } : result;
}
