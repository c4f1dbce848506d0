import type { OwnQuotas } from '@svc/core/quotas';
import type { Transaction } from '../connection/index.ts';

/** An environment's use of its quotas. */
export interface QuotaUse {
  /** Bytes of tables and artifacts, including dropped ones whose files still exist, and of unfinished uploads in parts. */
  storageBytes: number;
  /** Queries with a slot or running, and queries that wait for a slot. */
  queries: number;
  waiting: number;
}

/** Bytes of an environment's tables, artifacts and unfinished uploads as recorded in the database, without listing storage. */
export async function storageUsed(client: Transaction, environmentId: string): Promise<number> {
  const rows = await client.$queryRaw<{ used: bigint }[]>`
    SELECT ((SELECT coalesce(sum(greatest(size_bytes - purge_bytes, 0)), 0) FROM tables
             WHERE environment_id = ${environmentId}::uuid AND purged_at IS NULL AND kind IN ('managed', 'artifact'))
          + (SELECT coalesce(sum(p.size_bytes), 0) FROM upload_parts p JOIN uploads u ON u.id = p.upload_id
             WHERE u.environment_id = ${environmentId}::uuid))::bigint AS used`;
  return Number(rows[0]!.used);
}

export async function readQuotaUse(client: Transaction, environmentId: string): Promise<QuotaUse> {
  const storageBytes = await storageUsed(client, environmentId);
  const [row] = await client.$queryRaw<{ queries: number; waiting: number }[]>`
    SELECT (SELECT count(*)::int FROM queries WHERE environment_id = ${environmentId}::uuid AND ended_at IS NULL
              AND (placed OR status = 'running')) AS queries,
           (SELECT count(*)::int FROM queries
            WHERE environment_id = ${environmentId}::uuid AND status = 'waiting') AS waiting`;
  return { storageBytes, ...row! };
}

export async function findQuotas(client: Transaction, environmentId: string): Promise<OwnQuotas> {
  return client.environment.findUniqueOrThrow({
    where: { id: environmentId },
    select: { quota_storage_bytes: true, quota_concurrent_queries: true },
  });
}

/** Sets both quotas of an environment. Returns the previous ones, or null if it was deleted concurrently. */
export async function setQuotas(
  client: Transaction,
  q: { environmentId: string; storageBytes: number | null; concurrentQueries: number | null },
): Promise<OwnQuotas | null> {
  const rows = await client.$queryRaw<OwnQuotas[]>`
    WITH before AS (
      SELECT id, quota_storage_bytes, quota_concurrent_queries FROM environments
      WHERE id = ${q.environmentId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE)
    UPDATE environments e SET quota_storage_bytes = ${q.storageBytes}::bigint,
      quota_concurrent_queries = ${q.concurrentQueries}::int
    FROM before b WHERE e.id = b.id RETURNING b.quota_storage_bytes, b.quota_concurrent_queries`;
  return rows[0] ?? null;
}
