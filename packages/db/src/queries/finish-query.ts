import type { Failure } from '@svc/core/errors';
import type { AffectedRows } from '@svc/core/queries';
import { insertEvent, type NewEvent } from '../audit/index.ts';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { announceCancel, announceFinished, type Claim, LeaseLostError } from '../leases/index.ts';
import { readsOf } from '../tables/index.ts';
import { type ResultColumn, type StoredQuery, selectQuery } from './stored-query.ts';

export interface QueryResult {
  columns: ResultColumn[];
  /** Null if the statement was only described. */
  rowCount: number | null;
  /** All rows, if there are few. */
  firstRows: unknown[][] | null;
  /** The result file; null if `firstRows` contains the whole result. */
  location: string | null;
  expiresAt: Date | null;
  /** Whether it is the cached result of an earlier query (default: false). */
  isCached?: boolean;
  /** The rows that the statement changed, if it is one that changes rows. */
  affected?: AffectedRows;
  /** The types of the parameters, if the statement was only described. */
  parameterTypes?: readonly string[];
}

export type QueryStatusChange =
  | { status: 'succeeded'; result: QueryResult }
  | { status: 'failed' | 'cancelled'; error: Failure };

export interface QueryCompletion {
  claim: Claim;
  outcome: QueryStatusChange;
  submitterId: string;
  /** Ids of the tables that the query read. */
  tables: readonly string[];
  /** The event QUERY_COMPLETED. */
  event: NewEvent;
  now: Date;
  /** Whether to return the query's record. */
  returning?: boolean;
}

/**
 * Finishes a claimed query with its event and, if it succeeded, the recorded reads, in one statement. With `into` it
 * runs in the transaction that changes the table. Returns the record on request. @throws LeaseLostError
 */
export async function finishQuery(
  client: Transaction,
  { claim, outcome, submitterId, tables, event, now, returning = false }: QueryCompletion,
): Promise<StoredQuery | null> {
  const result = outcome.status === 'succeeded' ? outcome.result : null;
  const reads = result === null || tables.length === 0 ? null : { tableIds: tables, principalId: submitterId, now };
  const name = Prisma.raw(
    `/* prepared finish-${returning ? 'returning-' : ''}query${reads === null ? '' : '-with-reads'} */`,
  );
  const rows = await client.$queryRaw<StoredQuery[]>`${name}
    WITH finished AS (UPDATE queries SET status = ${outcome.status}, ended_at = ${now}, lease_owner = NULL, lease_expires_at = NULL,
      progress = ${result === null ? null : 1}::float8, tables = ${jsonText(tables)}::jsonb,
      columns = ${result === null ? null : jsonText(result.columns)}::jsonb,
      cached = ${result?.isCached ?? false},
      parameter_types = ${result?.parameterTypes ? jsonText(result.parameterTypes) : null}::jsonb, affected = ${result?.affected ? jsonText(result.affected) : null}::jsonb, row_count = ${result?.rowCount ?? null}, first_rows = ${result?.firstRows ? jsonText(result.firstRows) : null}::jsonb,
      result_location = ${result?.location ?? null}, result_expires_at = ${result?.expiresAt ?? null},
      error = ${outcome.status === 'succeeded' ? null : jsonText(outcome.error)}::jsonb
      WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running' RETURNING *),
    ${reads === null ? Prisma.empty : Prisma.sql`${readsOf(reads, 'finished')},`}
    recorded AS (${insertEvent(event, Prisma.sql`FROM finished`)}),
    announced AS (SELECT pg_notify('svc_ended', id::text)::text FROM finished)
    ${returning ? Prisma.sql`${selectQuery('finished q')}, announced` : Prisma.sql`SELECT * FROM announced`}`;
  if (rows.length === 0) throw new LeaseLostError(claim);
  return returning ? rows[0]! : null;
}

/** Stores the progress (0 to 1) if the claim is still valid. */
export async function setProgress(
  client: Transaction,
  { claim, progress }: { claim: Claim; progress: number },
): Promise<void> {
  await client.$executeRaw`
    UPDATE queries SET progress = ${progress}
    WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running'`;
}

/**
 * Cancels a query: a queued one finishes immediately, a running one is stopped by its worker. Returns false if it has
 * finished already; `finished` reports whether this call did.
 */
export async function cancelQuery(
  client: Transaction,
  { id, error, now }: { id: string; error: Failure; now: Date },
): Promise<{ cancelled: boolean; finished: boolean }> {
  const rows = await client.$queryRaw<{ status: string }[]>`
    UPDATE queries SET cancel_requested_at = coalesce(cancel_requested_at, ${now}),
      status = CASE status WHEN 'running' THEN status ELSE 'cancelled' END,
      ended_at = CASE status WHEN 'running' THEN NULL ELSE ${now}::timestamptz END,
      error = CASE status WHEN 'running' THEN NULL ELSE ${jsonText(error)}::jsonb END
    WHERE id = ${id}::uuid AND ended_at IS NULL RETURNING status`;
  const row = rows[0];
  if (row === undefined) return { cancelled: false, finished: false };
  if (row.status === 'cancelled') await announceFinished(client, { kind: 'queries', id });
  else await announceCancel(client, id);
  return { cancelled: true, finished: row.status === 'cancelled' };
}

/** Returns those of the queries for which a cancellation was requested. */
export async function filterCancelledQueries(client: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await client.query.findMany({
    where: { id: { in: [...ids] }, cancel_requested_at: { not: null } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/**
 * Removes up to `limit` results that are older than 24 hours (QUERY-6) and returns their files, which the caller
 * deletes.
 */
export async function claimExpiredResults(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<(string | null)[]> {
  const rows = await client.$queryRaw<{ location: string | null }[]>`
    WITH expired AS (
      SELECT id, result_location FROM queries
      WHERE (result_location IS NOT NULL OR first_rows IS NOT NULL) AND result_expires_at <= ${now}
      ORDER BY result_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE queries q SET result_location = NULL, first_rows = NULL FROM expired e WHERE q.id = e.id
    RETURNING e.result_location AS location`;
  return rows.map(({ location }) => location);
}
