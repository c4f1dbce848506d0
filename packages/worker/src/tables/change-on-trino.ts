import type { AffectedRows } from '@svc/core/queries';
import { findTableById, type StoredTable } from '@svc/db/tables';
import { readTableMetadata, removeFiles, snapshotOfRef, type TableState, versionColumns } from '@svc/iceberg';
import type { ChangeOutcome, TrinoEngine } from '@svc/lake/engines';
import { CHANGE_TABLES, type Relation, type Resolve, type Rewriting } from '@svc/lake/queries';
import { failure, failureOf } from '../work/failures.ts';
import { ChangeFailedError, type ChangeWork, droppedTable } from './change-work.ts';
import { commitRows } from './commit-rows.ts';
import { catalogTable } from './relations.ts';

type Staged = Extract<ChangeOutcome, { ok: true }>;

/**
 * Runs an UPDATE, DELETE or MERGE once on Trino: on a staging table with the table's current rows, whose changes are then committed to
 * the table. Returns false if something else was committed to the table concurrently, and null, without a change, if Trino can't run it.
 *
 * @throws ChangeFailedError, QueryRejectedError
 */
export async function changeOnTrino(
  work: ChangeWork,
  trino: TrinoEngine,
  { id }: StoredTable,
  change: Rewriting,
): Promise<boolean | null> {
  const { deps, environment, owner, signal, dialect, params, traceToken = 'svc' } = work;
  const table = await findTableById(deps.db.prisma, id);
  if (table?.metadata_location == null) throw droppedTable(change);
  const state: TableState = {
    metadataLocation: table.metadata_location,
    metadata: await readTableMetadata(deps.store, table.metadata_location),
  };
  const { metadata: target } = state;
  if (target['format-version'] !== 2) {
    if (work.verify === undefined) return null;
    throw new ChangeFailedError(failure('not-supported', ONLY_VERSION_2));
  }
  const outcome = await trino.change({
    ...{ change, target, environment, owner, signal, traceToken },
    ...(dialect && { dialect }),
    params: (sql) => params.in(sql),
    resolve: resolveWith(work, table, state, change),
  });
  // What verifies an asset runs on the cluster, too.
  if (!outcome.ok && work.verify === undefined && isRefusal(outcome.error)) return null;
  if (!outcome.ok) throw new ChangeFailedError(failureOf(outcome.error, work.requester));
  try {
    return await publish(work, { table, state, kind: change.kind }, outcome);
  } finally {
    await outcome.close();
  }
}

/**
 * Whether DuckDB may be able to run the statement. Trino rejects some in which several rows match the same row, such as those that
 * DELETE … USING deletes once.
 */
export const isRefusal = ({ code }: { readonly code: string }): boolean =>
  code === 'not-supported' || code === 'function-not-allowed' || code === 'ambiguous-change';

const ONLY_VERSION_2 =
  'Trino changes rows of tables in format version 2 only. Write engine: duckdb in the header of the asset.';

async function publish(
  work: ChangeWork,
  about: { table: StoredTable; state: TableState; kind: Rewriting['kind'] },
  { change, affected: count, catalogTable: staged }: Staged,
): Promise<boolean> {
  const affected = affectedRows(about.kind, count, change);
  const { removed, files, deletes } = change;
  const discard = () =>
    removeFiles(
      work.deps.store,
      [...files, ...deletes.map(({ file }) => file)].map((file) => file.file_path),
    );
  if (work.dryRun) {
    await discard();
    await work.finish(affected, null);
    return true;
  }
  try {
    await work.verify?.({ kind: 'managed', fields: staged.fields, files: [], catalogTables: [staged] });
  } catch (error) {
    await discard();
    throw error;
  }
  const base = snapshotOfRef(about.state.metadata, 'main');
  // A lost race removes the files.
  return commitRows(work, { ...about, base, affected, removed, files, deletes });
}

/** An updated row is deleted and added; Trino counts it once. */
function affectedRows(
  kind: Rewriting['kind'],
  count: number,
  { addedRows, deletedRows }: Staged['change'],
): AffectedRows {
  if (kind === 'update') return { inserted: 0, updated: count, deleted: 0 };
  if (kind === 'delete') return { inserted: 0, updated: 0, deleted: count };
  const affected = {
    inserted: count - deletedRows,
    updated: addedRows + deletedRows - count,
    deleted: count - addedRows,
  };
  if (Object.values(affected).every((rows) => rows >= 0)) return affected;
  throw new Error(`Trino reports ${count} rows, and its files have ${addedRows} added and ${deletedRows} deleted ones`);
}

/** The tables of the change by their own names, and others as the submitter may read them. */
function resolveWith(work: ChangeWork, table: StoredTable, { metadata }: TableState, change: Rewriting): Resolve {
  const columns = versionColumns(metadata, {});
  const target: Relation = {
    kind: 'managed',
    fields: columns.fields,
    files: [],
    catalogTables: [catalogTable(work.environment.name, table, columns)],
  };
  const own: Record<string, Relation | undefined> = {
    [`${CHANGE_TABLES.namespace}.${CHANGE_TABLES.target}`]: target,
    [`${CHANGE_TABLES.namespace}.${CHANGE_TABLES.source}`]: work.source,
    [`${change.namespace}.${change.table}`.toLowerCase()]: target,
  };
  return (tables) =>
    Promise.all(
      tables.map(async (requested) => {
        const found = requested.version === null ? own[requested.name.join('.').toLowerCase()] : undefined;
        return found ?? (await work.resolve([requested]))[0] ?? null;
      }),
    );
}
