import { scopeOf } from '@svc/core/access';
import { isActivePrincipal } from '@svc/db/access';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { findEnvironmentById } from '@svc/db/environments';
import { endQuery, findQuery, type QueryEnd, type StoredQuery, setProgress } from '@svc/db/queries';
import { recordReads } from '@svc/db/tables';
import { runQuery } from '@svc/lake/queries';
import { openReader, type TableReader } from '../tables/reader.ts';
import type { HeldClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { auditWork, type Origin } from '../work/events.ts';
import { auditText } from './audit-text.ts';
import { failure, failureOf } from './failures.ts';
import { writeInto } from './write-into.ts';

const RESULT_HOURS = 24;

/** A claimed query with all that its execution needs. */
export interface QueryWork {
  deps: WorkerDeps;
  claim: HeldClaim;
  row: StoredQuery;
  environment: { id: string; name: string };
  reader: TableReader;
  origin: Origin & { principal: { id: string; name: string } };
}

/** Runs one claimed query to its end. */
export async function executeQuery(deps: WorkerDeps, claim: HeldClaim): Promise<void> {
  const row = (await findQuery(deps.db.prisma, claim.id))!;
  const environment = await findEnvironmentById(deps.db.prisma, row.environment_id);
  const principal = { id: row.submitter_id, name: row.submitter ?? '' };
  const origin = {
    principal,
    environmentId: row.environment_id,
    requestId: row.request_id,
    breakGlass: row.break_glass,
  };
  const refuse = (detail: string) =>
    end({ deps, claim, row, origin }, { status: 'failed', error: failure('not-allowed', detail) }, []);
  if (environment === null) return refuse('The environment was deleted before the query began.');
  if (!(await isActivePrincipal(deps.db.prisma, row.submitter_id)))
    return refuse('The submitter was deactivated before the query began.');
  const reader = await openReader(deps, { principalId: row.submitter_id, environment });
  const work: QueryWork = { deps, claim, row, environment, reader, origin };
  if (row.cancel_requested_at !== null) return end(work, CANCELLED, []);
  if (row.into_table === null) await answer(work);
  else await writeInto(work);
}

const CANCELLED: QueryEnd = { status: 'cancelled', error: failure('cancelled', 'The query was cancelled.') };

type Ending = Pick<QueryWork, 'deps' | 'claim' | 'row' | 'origin'>;

/** Ends the query with its event. */
export async function end(work: Ending, ending: QueryEnd, tableIds: readonly string[]): Promise<void> {
  await inTransaction(work.deps.db, (tx) => endWithin(tx, work, ending, tableIds));
}

/** The same inside the transaction of what the query wrote. */
export async function endWithin(
  tx: Transaction,
  work: Ending,
  ending: QueryEnd,
  tableIds: readonly string[],
): Promise<void> {
  const { deps, claim, row, origin } = work;
  const now = deps.clock();
  await endQuery(tx, { claim, end: ending, tables: tableIds, now });
  if (ending.status === 'succeeded') await recordReads(tx, { tableIds, now });
  const environment = await findEnvironmentById(tx, row.environment_id, { deletedToo: true });
  await auditWork(deps, tx, origin, {
    type: 'QUERY_COMPLETED',
    object: scopeOf({ environment: environment?.name ?? null }),
    detail: {
      query_id: row.id,
      status: ending.status,
      sql_text: auditText(row.sql_text, deps.settings.auditQueryText),
      tables: tableIds,
    },
  });
}

async function answer(work: QueryWork): Promise<void> {
  const { deps, claim, row, reader } = work;
  // A location of this claim's own: a worker that lost its lease never writes where another one does.
  const location = `${deps.store.root}/results/${row.id}-${claim.fence}.parquet`;
  const outcome = await runQuery(deps.sandbox, {
    sql: row.sql_text,
    resolve: reader.resolve,
    output: { kind: 'result', location },
    signal: claim.signal,
    onProgress: progressReporter(work),
  });
  const tableIds = [...reader.tableIds];
  if (!outcome.ok) return endFailed(work, failureOf(outcome.error), tableIds);
  const expiresAt = new Date(deps.clock().getTime() + RESULT_HOURS * 3_600_000);
  const columns = outcome.columns.map(({ name, type }) => ({ name, type }));
  const firstRows = outcome.rows === null ? null : outcome.rows.map((r) => [...r]);
  const result = { columns, rowCount: outcome.rowCount, firstRows, location, expiresAt };
  await end(work, { status: 'succeeded', result }, tableIds);
}

/** Ends a query that gave nothing: as cancelled when somebody cancelled it, and not at all when the lease is lost. */
export async function endFailed(
  work: Ending,
  error: ReturnType<typeof failure>,
  tableIds: readonly string[],
): Promise<void> {
  const { reason, aborted } = work.claim.signal;
  if (aborted && reason !== 'cancelled') throw new Error(`stopped: ${String(reason)}`);
  await end(work, aborted ? CANCELLED : { status: 'failed', error }, tableIds);
}

const PROGRESS_MS = 500;

/** Stores progress at most twice a second; a lost update does no harm. */
export function progressReporter({ deps, claim }: Pick<QueryWork, 'deps' | 'claim'>): (percentage: number) => void {
  let last = 0;
  return (percentage) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    setProgress(deps.db.prisma, { claim, progress: Math.max(0, Math.min(1, percentage / 100)) }).catch(() => {});
  };
}
