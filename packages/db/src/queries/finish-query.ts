import type { Failure } from '@svc/core/errors';
import { insertEvent } from '../audit/index.ts';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { announceCancel, announceFinished, type Claim, LeaseLostError } from '../leases/index.ts';
import { readsOf } from '../tables/index.ts';
import { outcomeFields, type QueryCompletion } from './query-outcome.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

/**
 * Finishes a claimed query with its event and, if it succeeded, the recorded reads, in one statement. With `into` it
 * runs in the transaction that changes the table. Returns the record on request. @throws LeaseLostError
 */
export async function finishQuery(
  client: Transaction,
  { claim, returning = false, ...completion }: QueryCompletion & { claim: Claim; returning?: boolean },
): Promise<StoredQuery | null> {
  const { outcome, submitterId, tables, event, now } = completion;
  const end = outcomeFields(outcome);
  const hasReads = outcome.status === 'succeeded' && tables.length > 0;
  const reads = hasReads ? { tableIds: tables, principalId: submitterId, now } : null;
  const name = Prisma.raw(
    `/* prepared finish-${returning ? 'returning-' : ''}query${reads === null ? '' : '-with-reads'} */`,
  );
  const rows = await client.$queryRaw<StoredQuery[]>`${name}
    WITH finished AS (UPDATE queries SET status = ${end.status}, ended_at = ${now}, lease_owner = NULL, lease_expires_at = NULL,
      progress = ${end.progress}::float8, tables = ${jsonText(tables)}::jsonb, columns = ${jsonOrNull(end.columns)}::jsonb,
      cached = ${end.cached}, parameter_types = ${jsonOrNull(end.parameter_types)}::jsonb,
      affected = ${jsonOrNull(end.affected)}::jsonb, row_count = ${end.row_count}, first_rows = ${jsonOrNull(end.first_rows)}::jsonb,
      result_location = ${end.result_location}, result_expires_at = ${end.result_expires_at}, error = ${jsonOrNull(end.error)}::jsonb
      WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running' RETURNING *),
    ${reads === null ? Prisma.empty : Prisma.sql`${readsOf(reads, 'finished')},`}
    recorded AS (${insertEvent(event, Prisma.sql`FROM finished`)}),
    announced AS (SELECT pg_notify('svc_ended', id::text)::text FROM finished)
    ${returning ? Prisma.sql`${selectQuery('finished q')}, announced` : Prisma.sql`SELECT * FROM announced`}`;
  if (rows.length === 0) throw new LeaseLostError(claim);
  return returning ? rows[0]! : null;
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : jsonText(value));

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
 * finished already; `finished` reports whether this call did, and `isFirst` whether nobody requested it before.
 */
export async function cancelQuery(
  client: Transaction,
  { id, error, now }: { id: string; error: Failure; now: Date },
): Promise<{ cancelled: boolean; finished: boolean; isFirst: boolean }> {
  const rows = await client.$queryRaw<{ status: string; isFirst: boolean }[]>`
    UPDATE queries SET cancel_requested_at = coalesce(cancel_requested_at, ${now}),
      status = CASE status WHEN 'running' THEN status ELSE 'cancelled' END,
      ended_at = CASE status WHEN 'running' THEN NULL ELSE ${now}::timestamptz END,
      error = CASE status WHEN 'running' THEN NULL ELSE ${jsonText(error)}::jsonb END
    WHERE id = ${id}::uuid AND ended_at IS NULL
    RETURNING status, cancel_requested_at = ${now} AS "isFirst"`;
  const row = rows[0];
  if (row === undefined) return { cancelled: false, finished: false, isFirst: false };
  if (row.status === 'cancelled') await announceFinished(client, { kind: 'queries', id });
  else await announceCancel(client, id);
  return { cancelled: true, finished: row.status === 'cancelled', isFirst: row.isFirst };
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
