import type { Failure } from '@svc/core/errors';
import type { QueryParams } from '@svc/core/queries';
import type { Transaction } from '@svc/db/connection';
import { startCreation } from '@svc/db/drops';
import {
  applyUpdates,
  columnsOfFields,
  createTableMetadata,
  type DataFileRecord,
  type IcebergField,
  prepareSnapshot,
  removeFiles,
  type TableMetadata,
  tableIds,
  writeNewTable,
} from '@svc/iceberg';
import type { QueryRequest, Resolve } from '@svc/lake/queries';
import { newTableLocation } from '@svc/lake/tables';
import type { WorkerDeps } from '../work/deps.ts';
import type { Origin } from '../work/events.ts';
import { failure, failureOf, failureOfProblem, type Requester } from '../work/failures.ts';
import { registerTable } from './commit.ts';

export interface CreateWithRows {
  environment: { id: string; name: string };
  namespace: { id: string; path: string };
  name: string;
  description: string | null;
  origin: Origin & { principal: { id: string; name: string } };
  sql: string;
  /** The values of its parameters. */
  params: QueryParams | null;
  dialect?: QueryRequest['dialect'];
  resolve: Resolve;
  owner: string;
  /** The reader to whom error remedies apply. */
  requester?: Requester;
  signal: AbortSignal;
  /** Lets operators of an external engine find the statement. */
  traceToken: string;
  retried: boolean;
  onProgress?: (percentage: number | null) => void;
  expireAfter?: number | null;
  finish: (tx: Transaction, rows: number) => Promise<void>;
}

/** Creates a managed table with a query's columns and rows. Null on success. */
export async function createWithRows(deps: WorkerDeps, c: CreateWithRows): Promise<Failure | null> {
  const root = await deps.store.rootOf(c.environment.id);
  const location = newTableLocation({ root }, c.environment.id, deps);
  await startCreation(deps.db.prisma, { location, now: deps.clock() });
  const outcome = await deps.engine.run({
    sql: c.sql,
    params: c.params,
    ...(c.dialect && { dialect: c.dialect }),
    resolve: c.resolve,
    owner: c.owner,
    environment: c.environment,
    output: { kind: 'data-files', tableLocation: location, fields: null },
    signal: c.signal,
    traceToken: c.traceToken,
    retried: c.retried,
    ...(c.onProgress === undefined ? {} : { onProgress: c.onProgress }),
  });
  if (!outcome.ok) return failureOf(outcome.error, c.requester);
  const { fields, files, rowCount } = outcome;
  const metadata = await firstMetadata(deps, location, fields, files);
  const { metadataLocation } = await writeNewTable(deps.store, metadata, tableIds(deps));
  const created = await registerTable(deps, {
    ...c,
    id: metadata['table-uuid'],
    metadata,
    metadataLocation,
    files,
    rows: rowCount,
    mode: 'create',
    finish: (tx) => c.finish(tx, rowCount),
  }).catch(failureOfProblem);
  if (typeof created === 'object') return created;
  if (created) return null;
  return failure(
    'already-exists',
    `${c.namespace.path}.${c.name} was created by someone else in the meantime.`,
    'Use --mode append or --mode replace.',
  );
}

/** The metadata of a new table whose first snapshot contains the files. With a branch, `main` stays empty. */
export async function firstMetadata(
  deps: WorkerDeps,
  location: string,
  fields: readonly IcebergField[],
  files: readonly DataFileRecord[],
  branch?: string,
) {
  const columns = columnsOfFields({ type: 'struct', fields });
  const empty = createTableMetadata({ uuid: deps.newId(), location, columns, now: deps.clock().getTime() });
  try {
    return await withFirstSnapshot(deps, empty, files, branch);
  } catch (error) {
    await removeFiles(
      deps.store,
      files.map((file) => file.file_path),
    );
    throw error;
  }
}

/** Adds a first snapshot with these files to the metadata of a new table. */
export async function withFirstSnapshot(
  deps: WorkerDeps,
  empty: TableMetadata,
  files: readonly DataFileRecord[],
  branch?: string,
): Promise<TableMetadata> {
  const { store } = deps;
  const now = deps.clock().getTime();
  const onBranch = branch === undefined ? {} : { branch };
  const write = { store, metadata: empty, files, mode: 'append', now, ids: tableIds(deps), ...onBranch } as const;
  const { requirements, updates } = await prepareSnapshot(write);
  const applied = applyUpdates(empty, requirements, updates, now);
  if (!applied.ok) throw new Error(applied.message);
  return applied.metadata;
}
