import { ApiError } from '@svc/core/errors';
import type { Transaction } from '../connection/index.ts';
import { type RestoredPolicy, restorePolicies } from '../drops/index.ts';

/** A table that was restored with its environment. */
export interface RestoredTable {
  id: string;
  name: string;
  namespace: string;
  droppedAt: Date;
  retentionCleared: boolean;
  restored: RestoredPolicy[];
}

/**
 * Restores a deleted environment with its managed tables, their policies, and the grants in it. Tables dropped before
 * the deletion stay dropped (ENV-2). @throws ApiError if it isn't deleted or the undo period is over
 */
export async function restoreEnvironment(
  client: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<{ deletedAt: Date; tables: RestoredTable[]; restoredPolicies: number }> {
  const env = await takeRestorable(client, { id, now });
  const rows = await client.$queryRaw<(Omit<RestoredTable, 'restored'> & { dropId: string })[]>`
    WITH taken AS (
      SELECT t.id, t.drop_id, t.dropped_at, t.retention_on <= (${now}::timestamptz AT TIME ZONE 'UTC')::date AS passed
      FROM tables t WHERE t.environment_id = ${id}::uuid AND t.drop_reason = 'environment_deleted'
        AND t.purged_at IS NULL AND t.purge_started_at IS NULL FOR UPDATE)
    UPDATE tables t SET dropped_at = NULL, dropped_by = NULL, drop_id = NULL, drop_reason = NULL, purge_after = NULL,
      updated_at = ${now}, last_read_at = NULL, restored_at = ${now},
      retention_on = CASE WHEN taken.passed THEN NULL ELSE t.retention_on END,
      retention_set_at = CASE WHEN taken.passed THEN NULL ELSE t.retention_set_at END,
      retention_set_by = CASE WHEN taken.passed THEN NULL ELSE t.retention_set_by END
    FROM taken, namespaces n WHERE t.id = taken.id AND n.id = t.namespace_id
    RETURNING t.id, t.name, n.path AS namespace, taken.dropped_at AS "droppedAt", taken.drop_id AS "dropId",
      coalesce(taken.passed, false) AS "retentionCleared"`;
  const restored = await restorePolicies(client, [env.drop_id, ...rows.map(({ dropId }) => dropId)]);
  await client.environment.update({
    where: { id },
    data: { deleted_at: null, deleted_by: null, purge_after: null, purge_requested: false, drop_id: null },
  });
  const ofTable = new Map<string | null, RestoredPolicy[]>();
  for (const policy of restored) ofTable.set(policy.table_id, [...(ofTable.get(policy.table_id) ?? []), policy]);
  const tables = rows.map(({ dropId: _, ...row }) => ({ ...row, restored: ofTable.get(row.id) ?? [] }));
  return { deletedAt: env.deleted_at, tables, restoredPolicies: restored.length };
}

interface Deleted {
  name: string;
  deleted_at: Date;
  purge_after: Date;
  purge_requested: boolean;
  drop_id: string;
}

async function takeRestorable(client: Transaction, { id, now }: { id: string; now: Date }): Promise<Deleted> {
  const rows = await client.$queryRaw<(Deleted & { started: boolean })[]>`
    SELECT e.name, e.deleted_at, e.purge_after, e.purge_requested, e.drop_id, EXISTS (
      SELECT 1 FROM tables t WHERE t.environment_id = e.id AND t.drop_reason = 'environment_deleted'
        AND t.purge_started_at IS NOT NULL) AS started
    FROM environments e WHERE e.id = ${id}::uuid AND e.purged_at IS NULL FOR UPDATE OF e`;
  const env = rows[0];
  if (env === undefined) throw new ApiError('not-found', 'The environment no longer exists: its files are deleted.');
  const { name } = env;
  if (env.deleted_at === null)
    throw new ApiError('not-deleted', `The environment ${name} is not deleted: there is nothing to restore.`);
  const late = `Its name is free after the clean-up; then create it again: svc env create ${name}`;
  if (env.purge_requested)
    throw new ApiError(
      'dropped-with-purge',
      `The environment ${name} was deleted with purge, which cannot be undone. ${late}`,
    );
  if (env.started)
    throw new ApiError(
      'purge-started',
      `The environment ${name} cannot be restored: the sweep has started to delete its files. ${late}`,
    );
  if (env.purge_after <= now)
    throw new ApiError(
      'undo-period-over',
      `The environment ${name} cannot be restored: its undo period expired at ${env.purge_after.toISOString()}. ${late}`,
    );
  return env;
}
