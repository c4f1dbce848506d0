import { scopeOf } from '@svc/core/access';
import { cancelled, type Failure } from '@svc/core/errors';
import { queryEndpoints } from '@svc/core/queries';
import { completedQuery } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import { type ClaimedQuery, finishQuery, type QueryStatusChange, setProgress } from '@svc/db/queries';
import type { TableReader } from '../tables/reader.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { type Origin, routeText, workEvent } from '../work/events.ts';
import { progressReporter } from '../work/progress.ts';
import { traceOutcome } from '../work/traced.ts';

/** A claimed query with everything its execution needs. */
export interface QueryWork {
  deps: WorkerDeps;
  claim: ActiveClaim;
  row: ClaimedQuery;
  environment: { id: string; name: string };
  reader: TableReader;
  origin: Origin & { principal: { id: string; name: string } };
}

/** The route of queries in AUTHORIZATION_DENIED events. */
export const ROUTE = routeText(queryEndpoints.create);

export const requesterOf = ({ origin, reader }: Pick<QueryWork, 'origin' | 'reader'>) => ({
  name: origin.principal.name,
  refused: reader.refused,
});

/**
 * Lets operators of an external engine find the query. Also states whether an earlier worker may have left it running
 * there.
 */
export const tracing = ({ row, claim }: Pick<QueryWork, 'row' | 'claim'>) => ({
  traceToken: row.id,
  retried: claim.fence > 1n,
});

const RESULT_HOURS = 24;

/** When a result that is stored now expires. */
export const resultExpiry = ({ clock }: WorkerDeps): Date => new Date(clock().getTime() + RESULT_HOURS * 3_600_000);

/** The result of a query that was cancelled. */
export const CANCELLED = { status: 'cancelled', error: cancelled('query') } as const;

type FinishContext = Pick<QueryWork, 'deps' | 'claim' | 'row' | 'origin'>;

/**
 * Finishes the query with its event; `client` is the transaction of the rows the query wrote.
 * @throws LeaseLostError.
 */
export async function finish(
  work: FinishContext,
  outcome: QueryStatusChange,
  tableIds: readonly string[],
  client: Transaction | null = null,
): Promise<void> {
  const { deps, claim, row, origin } = work;
  const event = workEvent(deps, origin, {
    type: 'QUERY_COMPLETED',
    object: scopeOf({ environment: row.environment }),
    detail: completedQuery({ ...row, status: outcome.status, tables: tableIds }, deps.settings.auditQueryText),
  });
  const completion = { outcome, submitterId: row.submitter_id, tables: tableIds, event, now: deps.clock() };
  // In a transaction the query isn't finished yet: the waiting caller reads it after the commit.
  const returning = claim.onFinished !== undefined && client === null;
  const record =
    (client === null ? await claim.unstored?.end(completion) : null) ??
    (await finishQuery(client ?? deps.db.prisma, { ...completion, claim, returning }));
  if (record !== null) claim.onFinished?.(record);
  traceOutcome(claim, { error: null, ...outcome });
}

/**
 * Finishes a query without a result. It counts as cancelled if its cancellation was requested; if the lease is lost,
 * nothing is stored.
 */
export async function finishFailed(work: FinishContext, error: Failure, tableIds: readonly string[]): Promise<void> {
  const { reason, aborted } = work.claim.signal;
  if (aborted && reason !== 'cancelled') throw new Error(`stopped: ${String(reason)}`);
  await finish(work, aborted ? CANCELLED : { status: 'failed', error }, tableIds);
}

/** Stores the progress of a query; see `progressReporter`. */
export const queryProgress = ({ deps, claim }: Pick<QueryWork, 'deps' | 'claim'>) =>
  progressReporter((progress) => setProgress(deps.db.prisma, { claim, progress }));
