import { scopeOf } from '@svc/core/access';
import { findTable, type StoredTable } from '@svc/db/tables';
import { currentSchema, readTableMetadata } from '@svc/iceberg';
import { commitToTable } from '../tables/commit.ts';
import { createWithRows } from '../tables/create-with-rows.ts';
import { layoutFor } from '../tables/layout.ts';
import { failure } from '../work/failures.ts';
import { dialectOf } from './dialect.ts';
import { finish, finishFailed, type QueryWork, queryProgress, requesterOf, tracing } from './finish-query.ts';
import { namespaceForNew, writeFailure } from './new-table.ts';
import { queryFailure } from './query-failure.ts';

/** Runs a query with `into`: its rows create a table, or are appended to or replace the rows of an existing one. */
export async function writeInto(work: QueryWork): Promise<void> {
  const { deps, row, environment } = work;
  const [namespace, name] = [row.into_namespace!, row.into_table!];
  const mode = row.mode!;
  const full = `${namespace}.${name}`;
  const refuse = (code: Parameters<typeof failure>[0], detail: string, remedy: string | null = null) =>
    finishFailed(work, failure(code, detail, remedy), []);
  if (mode === 'create') return create(work);
  const object = scopeOf({ environment: environment.name, namespace, table: name });
  const refused = await writeFailure(work, { action: 'WRITE_TABLE', object, full });
  if (refused !== null) return finishFailed(work, refused, []);
  const table = await findTable(deps.db.prisma, { environmentId: environment.id, namespace, name });
  if (table === null) return refuse('not-found', `The table ${full} doesn't exist.`, 'Use --mode create.');
  if (table.kind !== 'managed')
    return refuse('not-a-managed-table', `${full} is of kind ${table.kind}. You can write only to managed tables.`);
  return write(work, table, mode);
}

async function write(work: QueryWork, table: StoredTable, mode: 'append' | 'replace'): Promise<void> {
  const { deps, claim, row, reader, origin, environment } = work;
  const metadata = await readTableMetadata(deps.store, table.metadata_location!);
  const schema = currentSchema(metadata);
  const layout = layoutFor(metadata, schema.fields);
  if ('code' in layout) return finishFailed(work, layout, []);
  const outcome = await deps.engine.run({
    sql: row.sql_text,
    params: row.params,
    ...dialectOf(row),
    resolve: reader.resolve,
    owner: reader.owner,
    environment,
    output: { kind: 'data-files', tableLocation: metadata.location, fields: schema.fields, layout, target: metadata },
    signal: claim.signal,
    ...tracing(work),
    onProgress: queryProgress(work),
  });
  const tableIds = [...reader.tableIds];
  if (!outcome.ok) return finishFailed(work, await queryFailure(work, outcome.error), tableIds);
  const { files, rowCount } = outcome;
  const failed = await commitToTable(deps, {
    table,
    environment: environment.name,
    files,
    schemaId: schema['schema-id'],
    mode,
    rows: rowCount,
    origin,
    finish: (tx) => finish(work, { status: 'succeeded', result: writtenResult(rowCount) }, tableIds, tx),
  });
  if (failed !== null) await finishFailed(work, failed, tableIds);
}

export const writtenResult = (rowCount: number) => ({
  columns: [],
  rowCount,
  firstRows: null,
  location: null,
  expiresAt: null,
});

async function create(work: QueryWork): Promise<void> {
  const { deps, claim, row, reader, origin, environment } = work;
  const name = row.into_table!;
  const namespace = await namespaceForNew(work, 'Use --mode append or --mode replace, or choose another name.');
  if ('code' in namespace) return finishFailed(work, namespace, []);
  const failed = await createWithRows(deps, {
    environment,
    namespace,
    name,
    description: null,
    origin,
    sql: row.sql_text,
    params: row.params,
    ...dialectOf(row),
    resolve: reader.resolve,
    owner: reader.owner,
    expireAfter: row.expire_after,
    requester: requesterOf(work),
    signal: claim.signal,
    ...tracing(work),
    onProgress: queryProgress(work),
    finish: (tx, rows) => finish(work, { status: 'succeeded', result: writtenResult(rows) }, [...reader.tableIds], tx),
  });
  if (failed !== null) await finishFailed(work, failed, [...reader.tableIds]);
}
