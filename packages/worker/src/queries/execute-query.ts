import { decide, scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { explainedStatement, type ShowStatement, showStatement } from '@svc/core/statements';
import { findDevVersionOfRun } from '@svc/db/deploys';
import { type ClaimedQuery, requeueQuery } from '@svc/db/queries';
import { findTable } from '@svc/db/tables';
import { describeQuery, firstRowsSql, type QueryRequest, runQuery, tableNotFound } from '@svc/lake/queries';
import { type DevAssets, devAssetsOf, isInDevNamespace } from '../tables/dev-assets.ts';
import { openPreviewReader } from '../tables/preview-reader.ts';
import { openReader, type Reader } from '../tables/reader.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { auditDenial } from '../work/events.ts';
import { failure, failureOfStorage } from '../work/failures.ts';
import { SlotsTakenError } from '../work/slots-taken.ts';
import { changeRows } from './change-rows.ts';
import { clone, isClone } from './clone.ts';
import { dialectOf } from './dialect.ts';
import { explain } from './explain.ts';
import {
  CANCELLED,
  finish,
  finishFailed,
  type QueryWork,
  queryProgress,
  ROUTE,
  resultExpiry,
  tracing,
} from './finish-query.ts';
import { queryFailure } from './query-failure.ts';
import { reportingFailure } from './report-failure.ts';
import { writeInto } from './write-into.ts';

/** Runs one query until it finishes, or returns it to the queue. */
export async function executeQuery(deps: WorkerDeps, claim: ActiveClaim): Promise<void> {
  try {
    await execute(deps, claim);
  } catch (error) {
    // Whatever happens next is that of a stored query, such as a retry.
    await claim.unstored?.store();
    throw error;
  }
}

async function execute(deps: WorkerDeps, claim: ActiveClaim): Promise<void> {
  const row = claim.query!;
  const environment = { id: row.environment_id, name: row.environment };
  const principal = { id: row.submitter_id, name: row.submitter ?? '' };
  const origin = {
    principal,
    environmentId: row.environment_id,
    requestId: row.request_id,
    breakGlass: row.break_glass,
    work: { queryId: row.id, runId: row.run_id },
  };
  const rejection = rejectionOf(row);
  // A query with a requested cancellation is cancelled, even if its environment was restored before a worker claimed
  // it.
  if (row.cancel_requested_at !== null) {
    const error = rejection === null ? CANCELLED.error : failure('cancelled', rejection);
    return finish({ deps, claim, row, origin }, { status: 'cancelled', error }, []);
  }
  if (rejection !== null)
    return finish({ deps, claim, row, origin }, { status: 'failed', error: failure('not-allowed', rejection) }, []);
  // A task's queries resolve names like the SQL of its project.
  const version = row.run_id === null ? null : await findDevVersionOfRun(deps.db.prisma, row.run_id);
  const dev = version === null ? null : devAssetsOf(version);
  const requester: Reader = {
    principalId: row.submitter_id,
    environment,
    request: { id: row.request_id, route: ROUTE },
    tokenActions: row.token_actions,
    dev,
    // Clients of the PostgreSQL protocol may write the environment's name before that of a namespace.
    searchPath: row.search_path,
    throughCatalog: isClone(row) || (deps.engine.name === 'trino' && !isChange(row)),
    inCatalogToo: deps.engine.name === 'trino' && isChange(row),
  };
  const reader = row.preview === null ? openReader(deps, requester) : openPreviewReader(deps, requester, row.preview);
  const work: QueryWork = { deps, claim, row, environment, reader, origin };
  try {
    // A statement that writes changes its table and its record in one transaction.
    if (row.into_table !== null) {
      await claim.takeSlot?.();
      await claim.unstored?.store();
    }
    const refused = dev === null ? null : await outsideFailure(work, dev);
    await (refused === null ? executionOf(row)(work) : finishFailed(work, refused, []));
  } catch (error) {
    if (!(error instanceof SlotsTakenError)) return finishFailed(work, failureOfStorage(error), [...reader.tableIds]);
    claim.isRequeued = await requeue(deps, claim, error);
    if (!claim.isRequeued) await finish(work, CANCELLED, [...reader.tableIds]);
  }
}

/** Returns false if the query was cancelled in the meantime. */
const requeue = async ({ db }: WorkerDeps, claim: ActiveClaim, { isLong }: SlotsTakenError): Promise<boolean> =>
  (await claim.unstored?.enqueue(isLong)) || requeueQuery(db.prisma, claim, isLong);

/** Names of assets mean tables in the namespace, so that a statement that reads them must not change those of the environment. */
async function outsideFailure({ row, reader }: QueryWork, dev: DevAssets): Promise<Failure | null> {
  const { into_namespace: namespace, into_table: table } = row;
  if (namespace === null || table === null || isInDevNamespace(dev, namespace)) return null;
  const action = row.mode === 'create' ? 'CREATE_TABLE' : 'WRITE_TABLE';
  await reader.deny(action, { namespace, table }, `a query of svc dev changes only tables in ${dev.devNamespace}`);
  return failure(
    'not-allowed',
    `A query of svc dev changes only tables in ${dev.devNamespace}, and ${namespace}.${table} is not there. Write the full name of a table inside it.`,
  );
}

/** How the worker runs a query. */
function executionOf(row: ClaimedQuery): (work: QueryWork) => Promise<void> {
  // Its text isn't a statement, and contains a name that must not decide how it runs.
  if (row.preview !== null) return answer;
  if (isChange(row)) return (work) => reportingFailure(work, changeRows);
  if (isClone(row)) return (work) => reportingFailure(work, clone);
  if (row.into_table === null && row.dry_run) return describe;
  if (row.into_table !== null) return writeInto;
  return explainedStatement(row.sql_text) === null ? answer : explain;
}

/** A statement that changes rows names its table itself. What Trino can't run, DuckDB does. */
const isChange = (row: ClaimedQuery): boolean => row.into_table !== null && row.mode === null;

/** Returns why the query may no longer start, or null. */
function rejectionOf(row: ClaimedQuery): string | null {
  if (row.environment_deleted) return 'The environment was deleted before the query started.';
  return row.submitter_active ? null : 'The submitter was deactivated before the query started.';
}

/** Why a table can't be described, or null. Describing reads no rows, so it is not recorded as a read. */
async function undescribable(work: QueryWork, table: NonNullable<ShowStatement['table']>): Promise<Failure | null> {
  const { deps, row, reader, environment } = work;
  const object = scopeOf({ environment: environment.name, namespace: table.namespace, table: table.name });
  const { allowed, reason } = decide(await reader.grants(), 'READ_TABLE', object);
  if (!allowed) {
    const request = { id: row.request_id, route: ROUTE };
    const denied = { action: 'READ_TABLE', object, reason } as const;
    await auditDenial(deps, { principalId: row.submitter_id, environment, request }, denied);
    reader.refused.set(`${table.namespace}.${table.name}`, object);
  } else if ((await findTable(deps.db.prisma, { environmentId: environment.id, ...table })) !== null) return null;
  return queryFailure(work, tableNotFound([...table.namespace.split('.'), table.name]).error);
}

/** Finds the columns and the types of the parameters of a SELECT, which doesn't run. No rows are read, so no read is recorded. */
async function describe(work: QueryWork): Promise<void> {
  const { deps, claim, row, reader } = work;
  const shown = showStatement(row.sql_text);
  const outcome = await describeQuery(deps.sandbox, {
    sql: shown?.sql ?? row.sql_text,
    params: 'unbound',
    ...dialectOf(row),
    resolve: reader.resolve,
    owner: reader.owner,
    beforeChild: claim.takeSlot,
    signal: claim.signal,
  });
  if (!outcome.ok) return finishFailed(work, await queryFailure(work, outcome.error), []);
  const columns = outcome.columns.map(({ name, type }) => ({ name, type }));
  const none = { rowCount: null, firstRows: null, location: null, expiresAt: null };
  const result = { columns, ...none, parameterTypes: outcome.parameterTypes };
  await finish(work, { status: 'succeeded', result }, []);
}

async function answer(work: QueryWork): Promise<void> {
  const { deps, claim, row, reader } = work;
  const statement = row.preview === null ? row.sql_text : firstRowsSql(row.preview);
  const shown = showStatement(statement);
  const failed = shown?.table == null ? null : await undescribable(work, shown.table);
  if (failed !== null) return finishFailed(work, failed, []);
  // Each claim has its own location, so a worker that lost its lease never overwrites another worker's result.
  const location = `${deps.store.root}/results/${row.id}-${claim.fence}.parquet`;
  // An external engine doesn't know these tables.
  const run = shown === null ? deps.engine.run : (request: QueryRequest) => runQuery(deps.sandbox, request);
  const outcome = await run({
    sql: shown?.sql ?? statement,
    params: row.params,
    ...dialectOf(row),
    resolve: reader.resolve,
    output: { kind: 'result', location },
    owner: reader.owner,
    cache: row.use_cache,
    beforeChild: claim.takeSlot,
    async beforeRun({ isLong }) {
      if (!isLong) return;
      await claim.takeSlot?.();
      if (claim.slot?.tryBecomeLong?.() === false) throw new SlotsTakenError(true);
    },
    signal: claim.signal,
    ...tracing(work),
    onProgress: queryProgress(work),
  });
  const tableIds = [...reader.tableIds];
  if (!outcome.ok) return finishFailed(work, await queryFailure(work, outcome.error), tableIds);
  const expiresAt = resultExpiry(deps);
  const columns = outcome.columns.map(({ name, type }) => ({ name, type }));
  const firstRows = outcome.rows === null ? null : outcome.rows.map((r) => [...r]);
  const at = outcome.stored ? location : null;
  const { rowCount, isCached } = outcome;
  const result = { columns, rowCount, firstRows, location: at, expiresAt, isCached };
  await deps.step?.('query.answered');
  await finish(work, { status: 'succeeded', result }, tableIds);
}
