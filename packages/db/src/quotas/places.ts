import type { Transaction } from '../connection/index.ts';

/** Waits until no other transaction gives places of the environment away; until this one ends. */
async function lockPlaces(client: Transaction, environmentId: string): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`svc quota ${environmentId}`}, 0))`;
}

/**
 * Gives the places that are free to the queries of an environment that wait longest, and wakes the workers. Inside a
 * transaction: two that give places away follow one another, so that never more than `limit` are under way, a limit that
 * was lowered meanwhile aside. Null as the limit lets all of them begin. Returns how many were given a place.
 */
export async function givePlaces(
  client: Transaction,
  { environmentId, limit }: { environmentId: string; limit: number | null },
): Promise<number> {
  await lockPlaces(client, environmentId);
  const rows = await client.$queryRaw<{ given: number }[]>`
    WITH next AS MATERIALIZED (
      SELECT id FROM queries WHERE environment_id = ${environmentId}::uuid AND status = 'waiting'
      ORDER BY created_at, id
      LIMIT (SELECT CASE WHEN ${limit}::int IS NOT NULL THEN greatest(0, ${limit}::int - count(*)) END FROM (
        SELECT id FROM queries WHERE environment_id = ${environmentId}::uuid AND placed AND ended_at IS NULL
        UNION SELECT id FROM queries WHERE status = 'running' AND environment_id = ${environmentId}::uuid) held)
      FOR UPDATE),
    given AS (
      UPDATE queries q SET status = 'queued', placed = ${limit !== null} FROM next
      WHERE q.id = next.id AND q.status = 'waiting' RETURNING q.id)
    SELECT count(*)::int AS given, CASE WHEN count(*) > 0 THEN pg_notify('svc_queued', 'queries') END::text AS told
    FROM given`;
  return rows[0]!.given;
}

/** Lets the queries of an environment that no worker has begun wait for their places: for a limit that is new. */
export async function holdQueued(client: Transaction, environmentId: string): Promise<void> {
  await lockPlaces(client, environmentId);
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

/** Environments that queries wait in: one look for each of them, into an index that is empty without quotas. */
export async function environmentsWaiting(client: Transaction): Promise<WaitingEnvironment[]> {
  return client.$queryRaw<WaitingEnvironment[]>`
    SELECT id, quota_storage_bytes, quota_concurrent_queries FROM environments e
    WHERE purged_at IS NULL
      AND EXISTS (SELECT 1 FROM queries q WHERE q.environment_id = e.id AND q.status = 'waiting')`;
}
