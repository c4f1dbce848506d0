import { nameKey } from '@svc/core/access';
import type { DropReason, UndropFailure } from '@svc/core/drops';
import { ApiError } from '@svc/core/errors';
import { hasPassed } from '@svc/core/retention';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { builderSql } from '../tables/builder.ts';
import { namespaceGoneError } from './namespace-gone-error.ts';
import { type RestoredPolicy, restorePolicies } from './policies.ts';

/** A dropped table whose files still exist. */
export interface StoredDrop {
  id: string;
  name: string;
  namespace: string;
  namespaceId: string;
  namespaceDropped: boolean;
  kind: TableKind;
  droppedAt: Date;
  dropId: string;
  reason: DropReason;
  purgeAfter: Date | null;
  purgeStartedAt: Date | null;
  location: string | null;
  metadataLocation: string | null;
  retentionOn: string | null;
}

/**
 * Finds the drops of a name whose files still exist, newest first, also in namespaces dropped since. They are locked
 * until the transaction commits: the sweep waits for it, and so does the deletion of the environment. @throws ApiError
 * `not-found`
 */
export async function lockDrops(
  client: Transaction,
  q: { environmentId: string; namespace: string; name: string; id?: string | undefined },
): Promise<StoredDrop[]> {
  const live = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM environments WHERE id = ${q.environmentId}::uuid AND deleted_at IS NULL FOR SHARE`;
  if (live.length === 0) throw new ApiError('not-found', 'The environment was deleted while this request ran.');
  return client.$queryRaw<StoredDrop[]>`
    SELECT t.id, t.name, n.path AS namespace, t.namespace_id AS "namespaceId",
           n.dropped_at IS NOT NULL AS "namespaceDropped", t.kind, t.dropped_at AS "droppedAt", t.drop_id AS "dropId",
           t.drop_reason AS reason, t.purge_after AS "purgeAfter", t.purge_started_at AS "purgeStartedAt", t.location,
           t.metadata_location AS "metadataLocation", to_char(t.retention_on, 'YYYY-MM-DD') AS "retentionOn"
    FROM namespaces n JOIN tables t ON t.namespace_id = n.id
    WHERE n.environment_id = ${q.environmentId}::uuid AND n.path_key = ${nameKey(q.namespace)}
      AND t.name_key = ${nameKey(q.name)} AND t.dropped_at IS NOT NULL AND t.purged_at IS NULL
      AND (${q.id ?? null}::uuid IS NULL OR t.id = ${q.id ?? null}::uuid)
    ORDER BY t.dropped_at DESC, t.id DESC FOR UPDATE OF t`;
}

const FAILURE_TEXTS: Record<UndropFailure, string> = {
  'dropped-with-purge': 'was dropped with purge, which cannot be undone',
  'purge-started': 'cannot be restored: the sweep has started to delete its files',
  'undo-period-over': 'cannot be restored: its undo period expired',
};

/** The 409 response for a drop that can't be undone (DROP-9). */
export function undropError(drop: StoredDrop, failure: UndropFailure): ApiError {
  const expiredAt = failure === 'undo-period-over' ? ` at ${drop.purgeAfter?.toISOString() ?? 'the drop'}` : '';
  return new ApiError(
    failure,
    `The table ${drop.namespace}.${drop.name} ${FAILURE_TEXTS[failure]}${expiredAt}. Create it again and load its data from the source.`,
  );
}

export interface Undrop {
  drop: StoredDrop;
  environment: string;
  /** The namespace that the table is restored to. */
  namespaceId: string;
  name: string;
  now: Date;
}

/**
 * Restores a dropped table that `lockDrops` locked: same id, data and history, with the policies that the drop revoked
 * (DROP-6). This counts as activity (DROP-7). A project builds it from now on if its active version has an asset of that
 * name (RETAIN-4). @throws ApiError `name-taken`; `not-found` if the namespace was dropped concurrently
 */
export async function undropTable(
  client: Transaction,
  { drop, environment, namespaceId, name, now }: Undrop,
): Promise<{ restored: RestoredPolicy[]; retentionCleared: boolean }> {
  const path = await lockTarget(client, namespaceId);
  const existing = await client.table.findFirst({
    where: { namespace_id: namespaceId, name_key: nameKey(name), dropped_at: null },
    select: { kind: true },
  });
  if (existing !== null) throw nameTakenError({ environment, drop, table: `${path}.${name}`, kind: existing.kind });
  const retentionCleared = hasPassed(drop.retentionOn, now);
  const fullName = nameKey(`${path}.${name}`);
  const isRenamed = fullName !== nameKey(`${drop.namespace}.${drop.name}`);
  const builder = builderSql(Prisma.sql`${fullName}`);
  await client.$executeRaw`
    UPDATE tables t SET dropped_at = NULL, dropped_by = NULL, drop_id = NULL, drop_reason = NULL, purge_after = NULL,
      namespace_id = ${namespaceId}::uuid, name = ${name}, name_key = ${nameKey(name)}, updated_at = ${now},
      last_read_at = NULL, restored_at = ${now},
      built_by_repository = ${isRenamed ? builder : Prisma.sql`coalesce(t.built_by_repository, ${builder})`},
      retention_on = CASE WHEN ${retentionCleared} THEN NULL ELSE retention_on END,
      retention_set_at = CASE WHEN ${retentionCleared} THEN NULL ELSE retention_set_at END,
      retention_set_by = CASE WHEN ${retentionCleared} THEN NULL ELSE retention_set_by END
    WHERE id = ${drop.id}::uuid`;
  const restored = await restorePolicies(client, [drop.dropId]);
  if (namespaceId !== drop.namespaceId)
    await client.grant.updateMany({ where: { object_id: drop.id }, data: { namespace_id: namespaceId } });
  return { restored, retentionCleared };
}

/**
 * Locks the namespace that something is restored to, and returns its path. Creating a table locks this row too, so the name
 * stays free until the commit. @throws ApiError `not-found` if it or its environment was dropped concurrently
 */
export async function lockTarget(client: Transaction, namespaceId: string): Promise<string> {
  const live = await client.$queryRaw<{ path: string }[]>`
    SELECT n.path FROM namespaces n JOIN environments e ON e.id = n.environment_id
    WHERE n.id = ${namespaceId}::uuid AND n.dropped_at IS NULL AND e.deleted_at IS NULL FOR UPDATE OF n FOR SHARE OF e`;
  if (live[0] === undefined) throw namespaceGoneError();
  return live[0].path;
}

const nameTakenError = (t: { environment: string; drop: StoredDrop; table: string; kind: string }) =>
  new ApiError(
    'name-taken',
    `The name ${t.table} is taken by another ${t.kind === 'managed' || t.kind === 'external' ? 'table' : t.kind}. Restore under another name with --as NEW_NAME, or drop the new one first.`,
    { remedy: `svc table undrop ${t.drop.namespace}.${t.drop.name} --as NEW_NAME --env ${t.environment}` },
  );

/** The detail of TABLE_UNDROPPED (DROP-7). */
export function undropDetail(u: {
  id: string;
  name: string;
  droppedName: string;
  droppedAt: Date;
  reason: 'user' | 'environment_restored';
  restored: readonly RestoredPolicy[];
  retentionCleared: boolean;
}): Record<string, unknown> {
  return {
    table_id: u.id,
    name: u.name,
    dropped_name: u.droppedName,
    dropped_at: u.droppedAt.toISOString(),
    reason: u.reason,
    restored_policies: u.restored.map(({ kind, id }) => ({ kind, id })),
    retention_cleared: u.retentionCleared,
  };
}
