import type { Transaction } from '../connection/index.ts';
import type { Claim } from '../leases/index.ts';
import { takeLongestWaiting } from '../leases/index.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

/** A query as its worker needs it, with what decides whether it may still begin. */
export interface ClaimedQuery extends StoredQuery {
  environment: string;
  environment_deleted: boolean;
  submitter_active: boolean;
}

/** `claimWork` for queries, with the query in the same answer: a short one should not wait for a second look. */
export async function claimQuery(
  client: Transaction,
  { owner, now, leaseMs }: { owner: string; now: Date; leaseMs: number },
): Promise<(Claim & { query: ClaimedQuery }) | null> {
  const rows = await client.$queryRaw<
    (ClaimedQuery & { lease_fence: bigint; traceparent: string | null })[]
  >`/* prepared claim-query */
    WITH q AS (${takeLongestWaiting({ kind: 'queries', owner, now, leaseMs })} RETURNING *)
    SELECT s.*, (SELECT lease_fence FROM q) AS lease_fence, (SELECT traceparent FROM q) AS traceparent, e.name AS environment,
           e.deleted_at IS NOT NULL AS environment_deleted,
           coalesce(p.active AND p.deleted_at IS NULL, false) AS submitter_active
    FROM (${selectQuery('q')}) s
    JOIN environments e ON e.id = s.environment_id LEFT JOIN principals p ON p.id = s.submitter_id`;
  const row = rows[0];
  if (row === undefined) return null;
  const { lease_fence: fence, traceparent, ...query } = row;
  return { id: query.id, fence, traceparent, query };
}
