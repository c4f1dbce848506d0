import type { HeldGrant } from '@svc/core/access';
import { asHeldGrants, type StoredHeldGrant, selectHeldGrants } from '../access/index.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type Claim, moreWaits, takeLongestWaiting } from '../leases/index.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

/** A claimed query with what its worker needs, and what decides whether it may still start. */
export interface ClaimedQuery extends StoredQuery {
  environment: string;
  environment_deleted: boolean;
  submitter_active: boolean;
  /** The submitter's current grants on the instance and in the query's environment. */
  held: readonly HeldGrant[];
}

export type QueryClaim = Claim & { query: ClaimedQuery };

/** A row of `SELECT_CLAIMED`. */
export type ClaimedRow = Omit<ClaimedQuery, 'held'> & {
  lease_fence: bigint;
  more: boolean;
  traceparent: string | null;
  held: StoredHeldGrant[];
};

/** Selects from `q`, the claimed rows of `queries` with the column `more`. */
export const SELECT_CLAIMED = Prisma.sql`
    SELECT s.*, q.lease_fence, q.more, q.traceparent, e.name AS environment,
           e.deleted_at IS NOT NULL AS environment_deleted,
           coalesce(p.active AND p.deleted_at IS NULL, false) AS submitter_active,
           (SELECT coalesce(jsonb_agg(h), '[]') FROM
             (${selectHeldGrants(Prisma.sql`s.submitter_id`, Prisma.sql`s.environment_id`)}) h) AS held
    FROM (${selectQuery('q')}) s JOIN q ON q.id = s.id
    JOIN environments e ON e.id = s.environment_id LEFT JOIN principals p ON p.id = s.submitter_id`;

export function queryClaim({ lease_fence: fence, more, traceparent, ...query }: ClaimedRow): QueryClaim {
  return { id: query.id, fence, more, traceparent, query: { ...query, held: asHeldGrants(query.held) } };
}

/** `claimWork` for queries. Returns the query in the same statement, which saves short queries a round trip. */
export async function claimQuery(
  client: Transaction,
  { owner, now, leaseMs }: { owner: string; now: Date; leaseMs: number },
): Promise<QueryClaim | null> {
  const rows = await client.$queryRaw<ClaimedRow[]>`/* prepared claim-query */
    WITH q AS (${takeLongestWaiting({ kind: 'queries', owner, now, leaseMs })} RETURNING *, ${moreWaits('queries')} AS more)
    ${SELECT_CLAIMED}`;
  return rows[0] === undefined ? null : queryClaim(rows[0]);
}
