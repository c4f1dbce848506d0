import { ApiError, cancelled, type Failure } from '@svc/core/errors';
import type { Transaction } from '@svc/db/connection';
import { forgetCreations, startCreation } from '@svc/db/drops';
import { findTableById, type StoredTable, tablesInside } from '@svc/db/tables';
import {
  type ClonedFiles,
  cloneMetadata,
  currentSchema,
  type DataFileRecord,
  filesToClone,
  joinLocation,
  readTableMetadata,
  StorageError,
  snapshotOfRef,
  type TableMetadata,
  tableIds,
  writeNewTable,
} from '@svc/iceberg';
import { runQuery } from '@svc/lake/queries';
import { contentsOf, newTableLocation } from '@svc/lake/tables';
import type { WorkerDeps } from '../work/deps.ts';
import type { Origin } from '../work/events.ts';
import { failure, failureOfProblem } from '../work/failures.ts';
import { ChangeFailedError, succeeded } from './change-work.ts';
import { registerTable } from './commit.ts';
import { withFirstSnapshot } from './create-with-rows.ts';
import { failureOfFiles } from './files-failure.ts';
import { layoutFor } from './layout.ts';

export interface TableClone {
  sourceId: string;
  environment: { id: string; name: string };
  namespace: { id: string; path: string };
  name: string;
  origin: Origin & { principal: { id: string; name: string } };
  /** See `sandboxOwner`. */
  owner: string;
  signal: AbortSignal;
  onProgress: (percentage: number) => void;
  finish: (tx: Transaction, rows: number) => Promise<void>;
}

/** How often a clone starts again because maintenance removed files of the version that it read. */
const ATTEMPTS = 3;
/** Files that are copied between two looks at the signal. */
const BATCH = 1000;

type Source = StoredTable & { metadata_location: string };

/**
 * Creates a table with the current rows of another one, in its own files: copies that the storage makes, except for files with deleted
 * rows, whose live rows are written again.
 *
 * @throws ChangeFailedError
 */
export async function cloneTable(deps: WorkerDeps, clone: TableClone): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const source = await currentSource(deps, clone);
    try {
      return await cloneVersion(deps, clone, source);
    } catch (error) {
      if (attempt < ATTEMPTS && isMissing(error) && (await hasChanged(deps, source))) continue;
      if (error instanceof ChangeFailedError) throw error;
      throw new ChangeFailedError(failureOfFiles(error));
    }
  }
}

const isMissing = (error: unknown): boolean => error instanceof StorageError && error.reason === 'missing';

async function currentSource({ db }: WorkerDeps, { sourceId }: TableClone): Promise<Source> {
  const source = await findTableById(db.prisma, sourceId);
  const location = source?.metadata_location;
  if (source === null || location == null)
    throw new ChangeFailedError(failure('not-found', 'The table to clone was dropped in the meantime.'));
  return { ...source, metadata_location: location };
}

async function hasChanged({ db }: WorkerDeps, { id, metadata_location }: Source): Promise<boolean> {
  return (await findTableById(db.prisma, id))?.metadata_location !== metadata_location;
}

async function cloneVersion(deps: WorkerDeps, clone: TableClone, source: Source): Promise<void> {
  const { environment, finish } = clone;
  const root = await deps.store.rootOf(environment.id);
  const location = newTableLocation({ root }, environment.id, deps);
  await startCreation(deps.db.prisma, { location, now: deps.clock() });
  const written = await writeFiles(deps, clone, { source, location }).catch(async (error: unknown) => {
    await discard(deps, location);
    throw error;
  });
  const { metadata } = written;
  const rows = contentsOf(metadata).rowCount;
  const described = source.columns.flatMap(({ name, description }) => (description ? [[name, description]] : []));
  const created = await registerTable(deps, {
    ...clone,
    ...written,
    id: metadata['table-uuid'],
    description: source.description,
    columnDescriptions: Object.fromEntries(described),
    rows,
    mode: 'create',
    finish: (tx) => finish(tx, rows),
  }).catch(rejection);
  if (created === true) return;
  await discard(deps, location);
  throw new ChangeFailedError(created === false ? taken(clone) : created);
}

/** Why the table can't be registered. After an error of another kind, it may exist: the sweep finds out. @throws such an error */
function rejection(error: unknown): Failure {
  if (error instanceof ApiError) return failureOfProblem(error);
  throw error;
}

const taken = ({ namespace, name }: TableClone): Failure =>
  failure(
    'already-exists',
    `${namespace.path}.${name} was created by someone else in the meantime.`,
    'Choose another name.',
  );

/** Writes all files of the clone. */
async function writeFiles(
  deps: WorkerDeps,
  clone: TableClone,
  { source, location }: { source: Source; location: string },
) {
  const { store, db } = deps;
  const from = await readTableMetadata(store, source.metadata_location);
  const inside = await tablesInside(db.prisma, source.location ?? from.location);
  const plan = await filesToClone(store, from, inside);
  const own = { uuid: deps.newId(), location, now: deps.clock().getTime() };
  const empty = cloneMetadata(from, own);
  const written = await writeLiveRows(deps, clone, empty, plan);
  const files = [...(await copyFiles(deps, clone, location, plan.whole)), ...written];
  const isEmpty = snapshotOfRef(from, 'main') === null;
  const metadata = isEmpty ? empty : await withFirstSnapshot(deps, empty, files);
  const { metadataLocation } = await writeNewTable(store, metadata, tableIds(deps));
  return { metadata, metadataLocation, files };
}

async function copyFiles(
  deps: WorkerDeps,
  { signal, onProgress }: TableClone,
  location: string,
  files: readonly DataFileRecord[],
): Promise<DataFileRecord[]> {
  const copied: DataFileRecord[] = [];
  for (let at = 0; at < files.length; at += BATCH) {
    requireRunning(signal);
    const batch = files.slice(at, at + BATCH).map((file) => {
      const to = joinLocation(location, 'data', `${deps.newId()}.parquet`);
      return { file, copy: { from: file.file_path, to, bytes: Number(file.file_size_in_bytes) } };
    });
    await deps.store.copyAll(batch.map(({ copy }) => copy));
    for (const { file, copy } of batch) copied.push({ ...file, file_path: copy.to });
    onProgress((100 * copied.length) / files.length);
    await deps.step?.('clone.copied');
  }
  requireRunning(signal);
  return copied;
}

/** @throws ChangeFailedError if the work was cancelled or stopped */
function requireRunning({ aborted }: AbortSignal): void {
  if (aborted) throw new ChangeFailedError(cancelled('clone'));
}

/** Writes the live rows of files with deletes in the layout of the table. */
async function writeLiveRows(
  { sandbox }: WorkerDeps,
  { owner, signal }: TableClone,
  metadata: TableMetadata,
  { reduced, reading }: ClonedFiles,
): Promise<readonly DataFileRecord[]> {
  if (reduced.length === 0) return [];
  const { fields } = currentSchema(metadata);
  const layout = layoutFor(metadata, fields);
  if ('code' in layout) throw new ChangeFailedError(layout);
  const outcome = await runQuery(sandbox, {
    ...{ sql: 'SELECT * FROM files', owner, signal, cache: false },
    resolve: async (tables) => tables.map(() => ({ kind: 'managed', fields, files: reduced, ...reading })),
    output: { kind: 'data-files', tableLocation: metadata.location, fields, layout, durable: true },
  });
  return succeeded({ requester: undefined }, outcome).files;
}

/** Removes the folder of a clone that wasn't registered. The sweep removes what is left. */
async function discard({ store, db }: WorkerDeps, location: string): Promise<void> {
  try {
    while (!(await store.removePrefix(location)).done);
    await forgetCreations(db.prisma, [location]);
  } catch (error) {
    if (!store.isUnavailable(error)) throw error;
  }
}
