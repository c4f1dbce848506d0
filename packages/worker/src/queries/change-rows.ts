import { scopeOf } from '@svc/core/access';
import type { AffectedRows } from '@svc/core/queries';
import { parseRowChange, type RowChange } from '@svc/core/statements';
import type { Transaction } from '@svc/db/connection';
import { findTable, type StoredTable } from '@svc/db/tables';
import { currentSchema, joinLocation, readTableMetadata } from '@svc/iceberg';
import { ChangeParameters, countSql, insertSql, type QueryOutcome, type QueryRequest } from '@svc/lake/queries';
import { isRefusal } from '../tables/change-on-trino.ts';
import { ChangeFailedError, succeeded } from '../tables/change-work.ts';
import { commitToTable } from '../tables/commit.ts';
import { layoutFor } from '../tables/layout.ts';
import { requireUnbound } from '../tables/require-unbound.ts';
import { rewriteRows } from '../tables/rewrite-rows.ts';
import { failure } from '../work/failures.ts';
import { dialectOf } from './dialect.ts';
import { finish, type QueryWork, requesterOf, tracing } from './finish-query.ts';
import { writeFailure } from './new-table.ts';
import { truncate } from './truncate.ts';

/**
 * Runs a statement that changes rows. Everything that it reads is of one version of the table that it changes.
 *
 * @throws ChangeFailedError, QueryRejectedError
 */
export async function changeRows(work: QueryWork): Promise<void> {
  const { row } = work;
  const parsed = parseRowChange(row.sql_text);
  if (!parsed.ok) throw new ChangeFailedError(failure('not-supported', parsed.message));
  const table = await writableTable(work, parsed.change);
  const params = new ChangeParameters(row.sql_text, row.params);
  if (parsed.change.kind === 'insert') return insert(work, table, parsed.change, params);
  if (parsed.change.kind === 'truncate') {
    return truncate(work, table, (deleted, tx) => finishChanged(work, { inserted: 0, updated: 0, deleted }, tx));
  }
  await requireUnbound(work.reader, parsed.change, row.submitter ?? '');
  const { deps, claim, environment, origin, reader } = work;
  await rewriteRows(
    {
      ...{ deps, environment, origin, params, resolve: reader.resolve, owner: reader.owner, signal: claim.signal },
      ...dialectOf(row),
      requester: requesterOf(work),
      ...{ engine: deps.engine, traceToken: row.id },
      scratch: scratch(work),
      dryRun: row.dry_run,
      finish: (affected, commit) => finishChanged(work, affected, commit?.tx),
    },
    table,
    parsed.change,
  );
}

/** The table, if the submitter may write to it now. */
async function writableTable(work: QueryWork, { namespace, table: name }: RowChange): Promise<StoredTable> {
  const { deps, environment } = work;
  const full = `${namespace}.${name}`;
  const object = scopeOf({ environment: environment.name, namespace, table: name });
  const refused = await writeFailure(work, { action: 'WRITE_TABLE', object, full });
  if (refused !== null) throw new ChangeFailedError(refused);
  const table = await findTable(deps.db.prisma, { environmentId: environment.id, namespace, name });
  if (table === null) throw new ChangeFailedError(failure('not-found', `The table ${full} doesn't exist.`));
  if (table.kind !== 'managed') {
    const detail = `${full} is of kind ${table.kind}. You can write only to managed tables.`;
    throw new ChangeFailedError(failure('not-a-managed-table', detail));
  }
  return table;
}

async function insert(
  work: QueryWork,
  table: StoredTable,
  change: Extract<RowChange, { kind: 'insert' }>,
  params: ChangeParameters,
): Promise<void> {
  const { deps, claim, row, reader, origin, environment } = work;
  const metadata = await readTableMetadata(deps.store, table.metadata_location!);
  const schema = currentSchema(metadata);
  const layout = layoutFor(metadata, schema.fields);
  if ('code' in layout) throw new ChangeFailedError(layout);
  const sql = insertSql(change, schema.fields);
  const request = {
    ...{ params: params.in(sql), resolve: reader.resolve, owner: reader.owner, signal: claim.signal },
    ...dialectOf(row),
    ...tracing(work),
    environment,
  };
  if (row.dry_run) {
    const output = { kind: 'result', location: joinLocation(scratch(work), 'count.parquet') } as const;
    const counted = succeeded(
      { requester: requesterOf(work) },
      await runAnywhere(work, { ...request, sql: countSql(sql), output, cache: false }),
    );
    return finishChanged(work, { inserted: Number(counted.rows![0]![0]), updated: 0, deleted: 0 });
  }
  const into = { tableLocation: metadata.location, fields: schema.fields, layout, target: metadata };
  const columnCount = change.byName ? undefined : (change.columns ?? schema.fields).length;
  const output = { kind: 'data-files', ...into, columnCount } as const;
  const { files, rowCount } = succeeded(
    { requester: requesterOf(work) },
    await runAnywhere(work, { ...request, sql, output }),
  );
  const affected = { inserted: rowCount, updated: 0, deleted: 0 };
  const failed = await commitToTable(deps, {
    ...{
      table,
      environment: environment.name,
      files,
      schemaId: schema['schema-id'],
      mode: 'append',
      rows: rowCount,
      origin,
    },
    finish: (tx) => finishChanged(work, affected, tx),
  });
  if (failed !== null) throw new ChangeFailedError(failed);
}

/** Runs a query on the service's engine, or on DuckDB if Trino can't run it. */
async function runAnywhere({ deps }: QueryWork, request: QueryRequest): Promise<QueryOutcome> {
  const outcome = await deps.engine.run(request);
  const isRefused = deps.engine.name === 'trino' && !outcome.ok && isRefusal(outcome.error);
  return isRefused ? deps.engines.duckdb.run(request) : outcome;
}

/** A location for files that only this claim uses. */
const scratch = ({ deps, row, claim }: QueryWork): string =>
  joinLocation(deps.store.root, 'results', `${row.id}-${claim.fence}`);

/** Finishes the query; `tx` is the transaction that commits the change. */
function finishChanged(work: QueryWork, affected: AffectedRows, tx: Transaction | null = null): Promise<void> {
  const rowCount = affected.inserted + affected.updated + affected.deleted;
  const result = { columns: [], rowCount, firstRows: null, location: null, expiresAt: null, affected };
  return finish(work, { status: 'succeeded', result }, [...work.reader.tableIds], tx);
}
