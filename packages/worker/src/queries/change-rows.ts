import { decide, scopeOf } from '@svc/core/access';
import { parseRowChange, type RowChange } from '@svc/core/row-changes';
import { findTable, type StoredTable } from '@svc/db/tables';
import { currentSchema, readTableMetadata } from '@svc/iceberg';
import { ChangeParameters, countSql, insertSql, isBound, QueryRejectedError, runQuery } from '@svc/lake/queries';
import { storageQuotaFailure } from '../quotas/index.ts';
import { commitToTable } from '../tables/commit.ts';
import { layoutFor } from '../tables/layout.ts';
import { auditDenial } from '../work/events.ts';
import { failure, failureOf } from '../work/failures.ts';
import { ChangeFailedError, finishChanged, scratch, succeeded } from './finish-change.ts';
import { finishFailed, type QueryWork, ROUTE, requesterOf } from './finish-query.ts';
import { RowRewriting } from './rewrite-rows.ts';

/** How often a statement runs again because something else was committed to the table concurrently. */
const ATTEMPTS = 20;

/** Runs an INSERT, UPDATE, DELETE or MERGE. Everything that it reads is of one version of the table that it changes. */
export async function changeRows(work: QueryWork): Promise<void> {
  try {
    await change(work);
  } catch (error) {
    if (error instanceof ChangeFailedError) return finishFailed(work, error.failure, [...work.reader.tableIds]);
    // The parts of the statement name columns that the table doesn't have.
    if (!(error instanceof QueryRejectedError)) throw error;
    return finishFailed(work, failureOf(error.error, requesterOf(work)), [...work.reader.tableIds]);
  }
}

async function change(work: QueryWork): Promise<void> {
  const { row } = work;
  const parsed = parseRowChange(row.sql_text);
  if (!parsed.ok) throw new ChangeFailedError(failure('not-supported', parsed.message));
  const table = await writableTable(work, parsed.change);
  const params = new ChangeParameters(row.sql_text, row.params);
  if (parsed.change.kind === 'insert') return insert(work, table, parsed.change, params);
  await requireUnbound(work, parsed.change);
  const { change } = parsed;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rewriting = await RowRewriting.open(work, table, change, params);
    if (await rewriting.run()) return;
  }
  throw new ChangeFailedError(
    failure(
      'write-conflict',
      'Nothing was changed: other commits changed the table at every attempt.',
      'Start it again.',
    ),
  );
}

/** The table, if the submitter may write to it now. */
async function writableTable(
  { deps, row, environment, reader }: QueryWork,
  { namespace, table: name }: RowChange,
): Promise<StoredTable> {
  const full = `${namespace}.${name}`;
  const object = scopeOf({ environment: environment.name, namespace, table: name });
  const { allowed, reason } = decide(await reader.grants, 'WRITE_TABLE', object);
  if (!allowed) {
    const request = { id: row.request_id, route: ROUTE };
    await auditDenial(
      deps,
      { principalId: row.submitter_id, environment, request },
      { action: 'WRITE_TABLE', object, reason },
    );
    throw new ChangeFailedError(failure('not-allowed', `You no longer have WRITE_TABLE on ${full}.`));
  }
  const exceeded = row.dry_run ? null : await storageQuotaFailure(deps, environment);
  if (exceeded !== null) throw new ChangeFailedError(exceeded);
  const table = await findTable(deps.db.prisma, { environmentId: environment.id, namespace, name });
  if (table === null) throw new ChangeFailedError(failure('not-found', `The table ${full} doesn't exist.`));
  if (table.kind !== 'managed') {
    const detail = `${full} is of kind ${table.kind}. You can write only to managed tables.`;
    throw new ChangeFailedError(failure('not-a-managed-table', detail));
  }
  return table;
}

/** Rows that a filter hides, or values that a mask replaces, can't be rewritten by someone who doesn't see them. */
async function requireUnbound({ reader, row }: QueryWork, { namespace, table }: RowChange): Promise<void> {
  const full = `${namespace}.${table}`;
  const [relation] = await reader.resolve([{ name: [...namespace.split('.'), table], version: null }]);
  if (relation === null || relation === undefined) {
    const scope = reader.refused.get(full);
    const detail = `The table ${full} doesn't exist, or you don't have READ_TABLE on it, which ${row.sql_text.trim().split(/\s/, 1)[0]?.toUpperCase()} needs.`;
    throw new ChangeFailedError(
      failureOf(
        { code: 'table-not-found', message: detail, table: full },
        scope && { name: row.submitter ?? '', refused: reader.refused },
      ),
    );
  }
  if (relation.kind === 'refused' || !isBound(relation)) return;
  const detail = `A row filter or column mask on ${full} applies to you, so you can't change its rows: you don't see all of them as they are.`;
  throw new ChangeFailedError(failure('not-allowed', detail));
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
  const request = { params: params.in(sql), resolve: reader.resolve, owner: reader.owner, signal: claim.signal };
  if (row.dry_run) {
    const output = { kind: 'result', location: scratch(work, 'count.parquet') } as const;
    const counted = succeeded(
      work,
      await runQuery(deps.sandbox, { ...request, sql: countSql(sql), output, cache: false }),
    );
    return finishChanged(work, { inserted: Number(counted.rows![0]![0]), updated: 0, deleted: 0 });
  }
  const output = { kind: 'data-files', tableLocation: metadata.location, fields: schema.fields, layout } as const;
  const { files, rowCount } = succeeded(work, await runQuery(deps.sandbox, { ...request, sql, output }));
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
