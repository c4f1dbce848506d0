import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';

export interface DueEnvironment {
  id: string;
  name: string;
}

/** Lists up to `limit` deleted environments whose undo period has expired, by id, strictly after a given one. */
export async function dueEnvironments(
  client: Transaction,
  { now, after, limit }: { now: Date; after: string; limit: number },
): Promise<DueEnvironment[]> {
  return client.$queryRaw<DueEnvironment[]>`
    SELECT id, name FROM environments
    WHERE deleted_at IS NOT NULL AND purged_at IS NULL AND purge_after <= ${now} AND id > ${after}::uuid
    ORDER BY id LIMIT ${limit}`;
}

/** Drops up to `limit` artifacts that stayed with a deleted environment whose undo period has expired. */
export async function dropLeftovers(
  client: Transaction,
  { id, now, limit }: { id: string; now: Date; limit: number },
): Promise<{ id: string; name: string; namespace: string; kind: TableKind }[]> {
  return client.$queryRaw<{ id: string; name: string; namespace: string; kind: TableKind }[]>`
    UPDATE tables t SET dropped_at = ${now}, drop_id = e.drop_id, drop_reason = 'environment_deleted', purge_after = ${now}
    FROM environments e, namespaces n
    WHERE e.id = ${id}::uuid AND e.deleted_at IS NOT NULL AND n.id = t.namespace_id AND t.id IN (
      SELECT id FROM tables WHERE environment_id = ${id}::uuid AND dropped_at IS NULL ORDER BY id LIMIT ${limit} FOR UPDATE)
    RETURNING t.id, t.name, n.path AS namespace, t.kind`;
}

/**
 * Removes a deleted environment once none of its tables has files, which frees its name (ENV-3). Returns how many
 * tables with files it had, or null if some still have files or the environment was restored.
 */
export async function purgeEnvironment(
  client: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<number | null> {
  const changed = await client.$executeRaw`
    UPDATE environments e SET purged_at = ${now}
    WHERE e.id = ${id}::uuid AND e.deleted_at IS NOT NULL AND e.purged_at IS NULL AND e.purge_after <= ${now}
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.environment_id = e.id AND t.purged_at IS NULL)`;
  if (changed === 0) return null;
  const at = { environment_id: id };
  await client.namespace.updateMany({ where: { ...at, dropped_at: null }, data: { dropped_at: now } });
  await client.deployment.updateMany({ where: { ...at, ended_at: null }, data: { ended_at: now } });
  await client.job.updateMany({ where: { ...at, removed_at: null }, data: { removed_at: now } });
  await client.savedQuery.deleteMany({ where: at });
  await client.queryTab.deleteMany({ where: at });
  await client.secret.updateMany({
    where: { ...at, revoked_at: null },
    data: { revoked_at: now, sealed: new Uint8Array() },
  });
  // The next environment of this name is another one.
  await client.$executeRaw`
    UPDATE access_requests r SET state = 'withdrawn', decided_at = ${now}
    FROM environments e WHERE e.id = ${id}::uuid AND r.environment = e.name AND r.state = 'pending'`;
  return client.table.count({ where: { ...at, purge_started_at: { not: null } } });
}
