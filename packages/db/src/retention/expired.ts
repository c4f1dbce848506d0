import type { Transaction } from '../connection/index.ts';
import { hasLegalHoldSql } from '../drops/index.ts';
import { Prisma } from '../generated/client.ts';
import { builderSql } from '../tables/builder.ts';
import { findTableById, type StoredTable } from '../tables/index.ts';

/** Matches unfinished work that writes table `t` of environment `e`; such a table doesn't expire (RETAIN-4). */
const BUSY = Prisma.sql`(
  EXISTS (SELECT 1 FROM writes w WHERE w.table_id = t.id AND w.status = ANY (ARRAY['queued'::text, 'running'::text]))
  OR EXISTS (SELECT 1 FROM queries q JOIN namespaces n ON n.id = t.namespace_id
    WHERE q.environment_id = t.environment_id AND q.ended_at IS NULL AND lower(q.into_table) = t.name_key
      AND lower(q.into_namespace) = n.path_key)
  OR EXISTS (SELECT 1 FROM runs r JOIN namespaces n ON n.id = t.namespace_id CROSS JOIN LATERAL (
      SELECT asset FROM run_tasks WHERE run_id = r.id AND status = ANY (ARRAY['queued'::text, 'running'::text])
      UNION ALL SELECT task->>'asset' FROM jsonb_array_elements(r.planned) AS task) k
    WHERE r.environment_id = t.environment_id AND r.ended_at IS NULL
      AND lower(k.asset) = n.path_key || '.' || t.name_key))`;

/** Lists up to `limit` expired tables in all environments that nothing retains, most overdue first (RETAIN-6). */
export async function findExpired(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const free = Prisma.sql`AND t.built_by_repository IS NULL AND NOT ${hasLegalHoldSql(now)} AND NOT ${BUSY}`;
  const days = Prisma.sql`make_interval(hours => 24 * e.retention_days)`;
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT x.id FROM environments e CROSS JOIN LATERAL (
      (SELECT t.id, t.expires_at AS due FROM tables t
       WHERE t.environment_id = e.id AND t.expires_at <= ${now} ${free} ORDER BY t.expires_at, t.id LIMIT ${limit})
      UNION ALL
      (SELECT t.id, greatest(t.idle_since, e.retention_set_at) + ${days} FROM tables t
       WHERE t.environment_id = e.id AND e.retention_days IS NOT NULL AND e.retention_set_at <= ${now}::timestamptz - ${days}
         AND t.idle_since <= ${now}::timestamptz - ${days} ${free} ORDER BY t.idle_since, t.id LIMIT ${limit})
    ) x
    WHERE e.deleted_at IS NULL AND NOT e.protected ORDER BY x.due, x.id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Locks a table for its expiry against writes and changes, and its environment's rule too. Returns null if the table or
 * its environment is gone, or if unfinished work writes it (RETAIN-4).
 */
export async function claimExpired(
  client: Transaction,
  id: string,
): Promise<(StoredTable & { environment: string }) | null> {
  const locked = await client.$queryRaw<{ environment: string }[]>`
    SELECT e.name AS environment FROM tables t JOIN environments e ON e.id = t.environment_id
    WHERE t.id = ${id}::uuid AND t.dropped_at IS NULL AND e.deleted_at IS NULL FOR UPDATE OF t FOR SHARE OF e`;
  if (locked[0] === undefined) return null;
  // Check after the lock, to see a write that was enqueued while this transaction waited.
  const busy = await client.$queryRaw<
    { busy: boolean }[]
  >`SELECT ${BUSY} AS busy FROM tables t WHERE t.id = ${id}::uuid`;
  if (busy[0]?.busy !== false) return null;
  // It may have got its name at the moment of a deploy.
  if (await adoptBuilt(client, id)) return null;
  const table = await findTableById(client, id);
  return table === null ? null : { ...table, environment: locked[0].environment };
}

/** Assigns a table to the project whose active version has an asset of its name. Returns false without such a project. */
async function adoptBuilt(client: Transaction, id: string): Promise<boolean> {
  const builder = builderSql(Prisma.sql`n.path_key || '.' || t.name_key`);
  const adopted = await client.$executeRaw`
    UPDATE tables t SET built_by_repository = ${builder} FROM namespaces n
    WHERE t.id = ${id}::uuid AND n.id = t.namespace_id AND t.built_by_repository IS NULL AND ${builder} IS NOT NULL`;
  return adopted > 0;
}
