import type { Failure } from '@svc/core/errors';
import { type CsvDialect, writeEndpoints } from '@svc/core/writes';
import { inTransaction } from '@svc/db/connection';
import type { StoredTable } from '@svc/db/tables';
import { finishWrite, type StoredWrite } from '@svc/db/writes';
import { type DataFileRecord, type IcebergField, joinLocation, removeFiles } from '@svc/iceberg';
import { QueryRejectedError } from '@svc/lake/queries';
import { ChangeFailedError } from '../tables/change-work.ts';
import { mergeKeyedRows } from '../tables/keyed-rows.ts';
import { openReader } from '../tables/reader.ts';
import { requireUnbound } from '../tables/require-unbound.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { type Origin, routeText } from '../work/events.ts';
import { failureOf } from '../work/failures.ts';

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
  csv: CsvDialect | null;
  /** The number of lines that were left out and the file with them, if the load may leave out lines. */
  rejected: { count: number; location: string } | null;
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
  const scratch = joinLocation(deps.store.root, 'results', `${row.id}-${claim.fence}`);
  await mergeKeyedRows(
    {
      ...{ deps, environment, origin, signal, scratch, owner: reader.owner, resolve: reader.resolve },
      engine: deps.engines.duckdb,
      finish: async ({ inserted, updated }, commit) => {
        const outcome = {
          status: 'succeeded',
          rows: inserted + updated,
          snapshotId: commit?.snapshotId ?? null,
          csv: rows.csv,
          rejected: rows.rejected,
        } as const;
        const finish = (tx: Parameters<typeof finishWrite>[0]) =>
          finishWrite(tx, { claim, outcome, now: deps.clock() });
        await (commit === null ? inTransaction(deps.db, finish) : finish(commit.tx));
      },
    },
    table,
    {
      ...{ files: rows.files, fields: rows.fields, present: rows.inFile, key: row.merge_key },
      origin: { name: 'the file', remedy: 'Correct the file and load it again.' },
    },
  );
}
