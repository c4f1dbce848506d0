import type { Failure } from '@svc/core/errors';
import { writeEndpoints } from '@svc/core/writes';
import { inTransaction } from '@svc/db/connection';
import type { StoredTable } from '@svc/db/tables';
import { finishWrite, type StoredWrite } from '@svc/db/writes';
import { type DataFileRecord, type IcebergField, joinLocation, removeFiles } from '@svc/iceberg';
import {
  CHANGE_TABLES,
  ChangeParameters,
  keyFaultsSql,
  mergeByKey,
  QueryRejectedError,
  type Relation,
  runQuery,
} from '@svc/lake/queries';
import { openReader } from '../tables/reader.ts';
import { requireUnbound } from '../tables/require-unbound.ts';
import { ChangeFailedError, rewriteRows, succeeded, writtenRows } from '../tables/rewrite-rows.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { type Origin, routeText } from '../work/events.ts';
import { failure, failureOf } from '../work/failures.ts';

export interface MergeLoad {
  deps: WorkerDeps;
  claim: ActiveClaim;
  row: StoredWrite;
  table: StoredTable;
  environment: { id: string; name: string };
  origin: Origin;
}

/** The rows of a file, in data files with all columns of the table. */
export interface LoadedRows {
  files: readonly DataFileRecord[];
  /** The table's columns. */
  fields: readonly IcebergField[];
  /** Those that the file has. */
  inFile: readonly IcebergField[];
}

/**
 * Updates the rows of a table that have the key of a loaded row, and inserts the others. Removes the files of the loaded rows.
 * Null on success.
 */
export async function mergeRows(load: MergeLoad, rows: LoadedRows): Promise<Failure | null> {
  const { deps } = load;
  try {
    await merge(load, rows);
    return null;
  } catch (error) {
    if (error instanceof ChangeFailedError) return error.failure;
    if (error instanceof QueryRejectedError) return failureOf(error.error);
    throw error;
  } finally {
    const files = rows.files.map((file) => file.file_path);
    await removeFiles(deps.store, files);
  }
}

async function merge({ deps, claim, row, table, environment, origin }: MergeLoad, rows: LoadedRows): Promise<void> {
  const { signal } = claim;
  const reader = openReader(deps, {
    principalId: row.requested_by,
    environment,
    request: { id: row.request_id, route: routeText(writeEndpoints.create) },
  });
  await requireUnbound(reader, { namespace: table.namespace, table: table.name }, row.requester ?? '');
  const key = row.merge_key;
  const absent = key.find((name) => !rows.inFile.some((field) => field.name.toLowerCase() === name.toLowerCase()));
  if (absent !== undefined) {
    const names = rows.inFile.map(({ name }) => name).join(', ');
    const detail = `The file has no column "${absent}", which is part of the key. Its columns: ${names}.`;
    throw new ChangeFailedError(failure('column-mismatch', detail));
  }
  const source = writtenRows(rows.fields, rows.files);
  const scratch = joinLocation(deps.store.root, 'results', `${row.id}-${claim.fence}`);
  await requireUniqueKey({ deps, source, scratch, owner: reader.owner, signal }, rows.inFile, key);
  const change = mergeByKey({ namespace: table.namespace, table: table.name }, { fields: rows.inFile, key });
  await rewriteRows(
    {
      ...{ deps, environment, origin, signal, scratch, source, owner: reader.owner, resolve: reader.resolve },
      requester: undefined,
      params: new ChangeParameters('', null),
      dryRun: false,
      finish: async ({ inserted, updated }, commit) => {
        const outcome = {
          status: 'succeeded',
          rows: inserted + updated,
          snapshotId: commit?.snapshotId ?? null,
        } as const;
        const finish = (tx: Parameters<typeof finishWrite>[0]) =>
          finishWrite(tx, { claim, outcome, now: deps.clock() });
        await (commit === null ? inTransaction(deps.db, finish) : finish(commit.tx));
      },
    },
    table,
    change,
  );
}

interface KeyCheck {
  deps: WorkerDeps;
  source: Relation;
  scratch: string;
  owner: string;
  signal: AbortSignal;
}

/** @throws ChangeFailedError if a row has no key, or the key of another row */
async function requireUniqueKey(
  { deps, source, scratch, owner, signal }: KeyCheck,
  fields: readonly IcebergField[],
  key: readonly string[],
): Promise<void> {
  const name = `${CHANGE_TABLES.namespace}.${CHANGE_TABLES.source}`;
  const outcome = await runQuery(deps.sandbox, {
    sql: keyFaultsSql(fields, key),
    resolve: async (tables) => tables.map((table) => (table.name.join('.') === name ? source : null)),
    output: { kind: 'result', location: joinLocation(scratch, 'key.parquet') },
    ...{ cache: false, owner, signal },
  });
  const [missing, same] = succeeded({ requester: undefined }, outcome).rows![0]!.map(Number) as [number, number];
  if (missing === 0 && same === 0) return;
  const columns = key.join(', ');
  const detail =
    missing > 0
      ? `${missing} rows of the file have no value in the key (${columns}).`
      : `${same} rows of the file have the same key (${columns}) as another row.`;
  throw new ChangeFailedError(failure('ambiguous-change', detail, 'Correct the file and load it again.'));
}
