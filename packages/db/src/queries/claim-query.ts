import type { EffectiveGrant } from '@svc/core/access';
import { type EffectiveGrantRow, selectEffectiveGrants, toEffectiveGrants } from '../access/index.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type Claim, claimOldestSql, hasMoreSql } from '../leases/index.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

/** A claimed query with what its worker needs, and what decides whether it may still start. */
export interface ClaimedQuery extends StoredQuery {
  environment: string;
  environment_deleted: boolean;
  submitter_active: boolean;
  /** The submitter's current grants on the instance and in the query's environment. */
  grants: readonly EffectiveGrant[];
}

export type QueryClaim = Claim & { query: ClaimedQuery };

/** A row of `SELECT_CLAIMED`. */
export type ClaimedRow = Omit<ClaimedQuery, 'held'> & {
  lease_fence: bigint;
  hasMore: boolean;
  traceparent: string | null;
  grants: EffectiveGrantRow[];
};

/** Selects from `q`, the claimed rows of `queries` with the column `hasMore`. */
export const SELECT_CLAIMED = Prisma.sql`
    SELECT s.*, q.lease_fence, q."hasMore", q.traceparent, e.name AS environment,
           e.deleted_at IS NOT NULL AS environment_deleted,
           coalesce(p.active AND p.deleted_at IS NULL, false) AS submitter_active,
           (SELECT coalesce(jsonb_agg(h), '[]') FROM
             (${selectEffectiveGrants(Prisma.sql`s.submitter_id`, Prisma.sql`s.environment_id`)}) h) AS grants
    FROM (${selectQuery('q')}) s JOIN q ON q.id = s.id
    JOIN environments e ON e.id = s.environment_id LEFT JOIN principals p ON p.id = s.submitter_id`;

export function queryClaim({ lease_fence: fence, hasMore, traceparent, ...query }: ClaimedRow): QueryClaim {
  return { id: query.id, fence, hasMore, traceparent, query: { ...query, grants: toEffectiveGrants(query.grants) } };
}

/** `claimWork` for queries. Returns the query in the same statement, which saves short queries a round trip. */
export async function claimQuery(
  client: Transaction,
  { owner, now, leaseMs }: { owner: string; now: Date; leaseMs: number },
): Promise<QueryClaim | null> {
  const rows = await client.$queryRaw<ClaimedRow[]>`/* prepared claim-query */
    WITH q AS (${claimOldestSql({ kind: 'queries', owner, now, leaseMs })} RETURNING *, ${hasMoreSql('queries')} AS "hasMore")
    ${SELECT_CLAIMED}`;
  return rows[0] === undefined ? null : queryClaim(rows[0]);
}
