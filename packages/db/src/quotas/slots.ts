import type { Transaction } from '../connection/index.ts';
import { announceWork } from '../leases/index.ts';

/** Serializes the assignment of an environment's slots until the transaction commits. */
async function lockSlots(client: Transaction, environmentId: string): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`svc quota ${environmentId}`}, 0))`;
}

/**
 * Assigns free slots to an environment's longest waiting queries and wakes the workers. Call it in a transaction:
 * assignments are serialized, so that never more than `limit` queries are active, unless the limit was lowered since. A
 * null limit releases all waiting queries. Returns how many queries can start.
 */
export async function assignSlots(
  client: Transaction,
  { environmentId, limit }: { environmentId: string; limit: number | null },
): Promise<number> {
  await lockSlots(client, environmentId);
  const rows = await client.$queryRaw<{ assigned: number }[]>`
    WITH next AS MATERIALIZED (
      SELECT id FROM queries WHERE environment_id = ${environmentId}::uuid AND status = 'waiting'
      ORDER BY created_at, id
      LIMIT (SELECT CASE WHEN ${limit}::int IS NOT NULL THEN greatest(0, ${limit}::int - count(*)) END FROM (
        SELECT id FROM queries WHERE environment_id = ${environmentId}::uuid AND placed AND ended_at IS NULL
        UNION SELECT id FROM queries WHERE status = 'running' AND environment_id = ${environmentId}::uuid) active)
      FOR UPDATE),
    assigned AS (
      UPDATE queries q SET status = 'queued', placed = ${limit !== null} FROM next
      WHERE q.id = next.id AND q.status = 'waiting' RETURNING q.id)
    SELECT count(*)::int AS assigned FROM assigned`;
  const { assigned } = rows[0]!;
  if (assigned > 0) await announceWork(client, 'queries');
  return assigned;
}

/** Makes queued queries that no worker has started wait for slots, after a limit is set for the first time. */
export async function moveQueuedToWaiting(client: Transaction, environmentId: string): Promise<void> {
  await lockSlots(client, environmentId);
  await client.$executeRaw`
    UPDATE queries SET status = 'waiting'
    WHERE environment_id = ${environmentId}::uuid AND status = 'queued' AND NOT placed AND cancel_requested_at IS NULL
      AND attempts = 0`;
}

export interface WaitingEnvironment {
  id: string;
  quota_storage_bytes: bigint | null;
  quota_concurrent_queries: number | null;
}

/** Environments with waiting queries. Costs one index lookup per environment; without quotas the index is empty. */
export async function environmentsWaiting(client: Transaction): Promise<WaitingEnvironment[]> {
  return client.$queryRaw<WaitingEnvironment[]>`
    SELECT id, quota_storage_bytes, quota_concurrent_queries FROM environments e
    WHERE purged_at IS NULL
      AND EXISTS (SELECT 1 FROM queries q WHERE q.environment_id = e.id AND q.status = 'waiting')`;
}
