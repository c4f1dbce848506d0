import { type DropReason, ownsFiles, purgeAfter } from '@svc/core/drops';
import { ApiError } from '@svc/core/errors';
import { at, isActive } from '../access/active-grant.ts';
import type { Transaction } from '../connection/index.ts';
import { type DropResult, hasLegalHoldSql, legalHoldError, revokePoliciesOf } from '../drops/index.ts';

export interface EnvironmentDeletion {
  id: string;
  /** Id of the deletion, which marks the grants that it revokes on the environment and its namespaces. */
  dropId: string;
  purge: boolean;
  by: string;
  undoDays: number;
  now: Date;
}

/** A table that was dropped by the deletion of its environment. */
export type DroppedTableRow = Omit<DropResult, 'held'>;

const BATCH = 2000;
const REASON: DropReason = 'environment_deleted';

/**
 * Deletes an environment and revokes the grants in it. Tables are dropped, views and external tables are removed,
 * artifacts stay until the purge (ENV-1). Returns null if it was deleted already. @throws ApiError `table-held` for a
 * purge while a table is under a legal hold
 */
export async function deleteEnvironment(
  client: Transaction,
  d: EnvironmentDeletion,
): Promise<{ tables: DroppedTableRow[]; revokedPolicies: number; purgeAfter: Date } | null> {
  const { id, now, by, purge } = d;
  // Creating a table, a namespace or a grant locks this row, so none appears during the deletion.
  const live = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM environments WHERE id = ${id}::uuid AND deleted_at IS NULL FOR UPDATE`;
  if (live.length === 0) return null;
  if (purge) await requireNoLegalHolds(client, { id, now });
  const until = purgeAfter({ kind: 'managed', reason: purge ? 'purge' : REASON, undoDays: d.undoDays, now })!;
  const tables = await dropAll(client, d, until);
  const grants = await client.$executeRaw`
    UPDATE grants SET ended_at = ${now}, ended_by = ${by}::uuid, ended_by_drop = ${d.dropId}::uuid
    WHERE environment_id = ${id}::uuid AND ${isActive('grants', at(now))}`;
  await client.environment.update({
    where: { id },
    data: { deleted_at: now, deleted_by: by, purge_after: until, purge_requested: purge, drop_id: d.dropId },
  });
  if (purge) await makePurgesDue(client, { id, now });
  const revokedPolicies = tables.reduce((sum, table) => sum + table.revokedPolicies, grants);
  return { tables, revokedPolicies, purgeAfter: until };
}

async function dropAll(client: Transaction, d: EnvironmentDeletion, until: Date): Promise<DroppedTableRow[]> {
  const rows = await client.$queryRaw<Omit<DroppedTableRow, 'purgeAfter' | 'revokedPolicies'>[]>`
    UPDATE tables t SET dropped_at = ${d.now}, dropped_by = ${d.by}::uuid, drop_id = gen_random_uuid(),
      drop_reason = ${REASON}, purge_after = CASE WHEN t.kind = 'managed' THEN ${until}::timestamptz END,
      purged_at = CASE WHEN t.kind = 'managed' THEN NULL ELSE ${d.now}::timestamptz END
    FROM namespaces n WHERE n.id = t.namespace_id AND t.environment_id = ${d.id}::uuid AND t.dropped_at IS NULL
      AND t.kind <> 'artifact'
    RETURNING t.id, t.name, n.path AS namespace, t.kind`;
  const dropped: DroppedTableRow[] = [];
  for (let i = 0; i < rows.length; i += BATCH) {
    const batch = rows.slice(i, i + BATCH);
    const revoked = await revokePoliciesOf(client, { tableIds: batch.map((row) => row.id), by: d.by, now: d.now });
    for (const row of batch)
      dropped.push({
        ...row,
        purgeAfter: ownsFiles(row.kind) ? until : null,
        revokedPolicies: revoked.get(row.id) ?? 0,
      });
  }
  return dropped;
}

/**
 * Makes a deleted environment and all its files due at the next sweep (ENV-3). @throws ApiError `table-held`;
 * `not-deleted` or `not-found` if it was restored or purged concurrently
 */
export async function purgeDeleted(
  client: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<{ purgeAfter: Date }> {
  const rows = await client.$queryRaw<{ name: string; purge_after: Date | null }[]>`
    SELECT name, purge_after FROM environments WHERE id = ${id}::uuid AND purged_at IS NULL FOR UPDATE`;
  const [env] = rows;
  if (env === undefined) throw new ApiError('not-found', 'The environment no longer exists: its files are deleted.');
  if (env.purge_after === null)
    throw new ApiError(
      'not-deleted',
      `The environment ${env.name} was restored while this request ran. Delete it again to purge it.`,
    );
  await requireNoLegalHolds(client, { id, now });
  const due = env.purge_after < now ? env.purge_after : now;
  await client.environment.update({ where: { id }, data: { purge_after: due, purge_requested: true } });
  await makePurgesDue(client, { id, now });
  return { purgeAfter: due };
}

async function requireNoLegalHolds(client: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  const tables = await client.$queryRaw<{ table: string; environment: string; droppedId: string | null }[]>`
    SELECT n.path || '.' || t.name AS table, e.name AS environment,
           CASE WHEN t.dropped_at IS NOT NULL THEN t.id END AS "droppedId"
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id JOIN environments e ON e.id = t.environment_id
    WHERE t.environment_id = ${id}::uuid AND t.purged_at IS NULL AND ${hasLegalHoldSql(now)} ORDER BY 1 LIMIT 1 FOR UPDATE OF t`;
  if (tables[0] !== undefined) throw legalHoldError(tables[0], 'purging its environment');
}

async function makePurgesDue(client: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  await client.$executeRaw`
    UPDATE tables SET purge_after = ${now}
    WHERE environment_id = ${id}::uuid AND dropped_at IS NOT NULL AND purged_at IS NULL AND purge_after > ${now}`;
}

/** Locks an environment against deletion until the transaction commits. @throws ApiError `not-found` */
export async function lockEnvironmentForShare(client: Transaction, id: string): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM environments WHERE id = ${id}::uuid AND deleted_at IS NULL FOR SHARE`;
  if (rows.length === 0) throw new ApiError('not-found', 'The environment was deleted while this request ran.');
}
