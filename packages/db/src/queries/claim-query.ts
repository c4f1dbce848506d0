import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type Claim, claimSql, hasMoreSql, queryQueue } from '../leases/index.ts';
import { type FirstLease, isLong, type NewQuery, newRecord } from './new-query.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

/** A claimed query with what its worker needs, and what decides whether it may still start. */
export interface ClaimedQuery extends StoredQuery {
  environment: string;
  environment_deleted: boolean;
  submitter_active: boolean;
  /** Whether it runs in the lane of long queries (QUERY-10). */
  is_long: boolean;
}

export type QueryClaim = Claim & { query: ClaimedQuery };

type ClaimedRow = ClaimedQuery & {
  lease_fence: bigint;
  hasMore: boolean;
  traceparent: string | null;
};

function queryClaim({ lease_fence: fence, hasMore, traceparent, ...query }: ClaimedRow): QueryClaim {
  return { id: query.id, fence, hasMore, traceparent, query };
}

/** A query that its worker runs before it is stored, as a claim of it would return it. */
export const unstoredClaim = (q: NewQuery, lease: FirstLease): QueryClaim => ({
  id: q.id,
  fence: 1n,
  hasMore: false,
  traceparent: q.traceparent ?? null,
  query: {
    ...newRecord(q, lease),
    environment: q.environment,
    environment_deleted: false,
    submitter_active: true,
    is_long: isLong(q),
  },
});

/**
 * The submitter whose query is next in a lane: the one with the fewest running queries, then the one whose query has waited
 * longest. Reads one index entry for each submitter with waiting queries, however many those have.
 */
const nextSubmitter = (isLong: boolean): Prisma.Sql => {
  const first = (after: Prisma.Sql) => Prisma.sql`
    SELECT submitter_id, created_at, id FROM queries WHERE status = 'queued' AND is_long = ${isLong} ${after}
    ORDER BY submitter_id, created_at, id LIMIT 1`;
  return Prisma.sql`(
    WITH RECURSIVE waiting AS (
      (${first(Prisma.empty)})
      UNION ALL
      SELECT other.* FROM waiting w CROSS JOIN LATERAL (${first(Prisma.sql`AND submitter_id > w.submitter_id`)}) other)
    SELECT submitter_id FROM waiting
    LEFT JOIN (SELECT submitter_id, count(*) AS running FROM queries WHERE status = 'running' GROUP BY submitter_id) r
      USING (submitter_id)
    ORDER BY coalesce(running, 0), created_at, id LIMIT 1)`;
};

/**
 * `claimWork` for the queries of one lane, fair between their submitters. Returns the query in the same statement, which
 * saves short queries a round trip.
 */
export async function claimQuery(
  client: Transaction,
  { isLong = false, ...lease }: { owner: string; now: Date; leaseMs: number; isLong?: boolean },
): Promise<QueryClaim | null> {
  const oldest = (of: Prisma.Sql) => Prisma.sql`(
    SELECT id FROM queries WHERE status = 'queued' AND is_long = ${isLong} ${of}
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`;
  // The second part counts if another worker has just locked the last query of that submitter.
  const next = Prisma.sql`coalesce(${oldest(Prisma.sql`AND submitter_id = ${nextSubmitter(isLong)}`)}, ${oldest(Prisma.empty)})`;
  const hasMore = hasMoreSql('queries', Prisma.sql`AND o.is_long = ${isLong}`);
  const rows = await client.$queryRaw<ClaimedRow[]>`/* prepared claim-query */
    WITH q AS (${claimSql({ kind: 'queries', ...lease }, next)} RETURNING *, ${hasMore} AS "hasMore")
    SELECT s.*, q.lease_fence, q."hasMore", q.traceparent, q.is_long, e.name AS environment,
           e.deleted_at IS NOT NULL AS environment_deleted,
           coalesce(p.active AND p.deleted_at IS NULL, false) AS submitter_active
    FROM (${selectQuery('q')}) s JOIN q ON q.id = s.id
    JOIN environments e ON e.id = s.environment_id LEFT JOIN principals p ON p.id = s.submitter_id`;
  return rows[0] === undefined ? null : queryClaim(rows[0]);
}

/**
 * Returns a claimed query to the queue. It has not started then, and its attempt doesn't count. Returns false if its
 * cancellation was requested or the lease was lost.
 */
export async function requeueQuery(client: Transaction, claim: Claim, isLong: boolean): Promise<boolean> {
  const requeued = await client.$executeRaw`/* prepared requeue-query */
    WITH q AS (UPDATE queries SET status = 'queued', is_long = ${isLong}, started_at = NULL, attempts = attempts - 1,
        lease_owner = NULL, lease_expires_at = NULL
      WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running' AND cancel_requested_at IS NULL
      RETURNING id)
    SELECT pg_notify('svc_queued', ${queryQueue(isLong)}) FROM q`;
  return requeued > 0;
}
