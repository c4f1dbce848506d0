import { nameKey } from '@svc/core/access';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { hasLegalHoldSql, legalHoldError } from './hold-errors.ts';

/** The target of a legal hold: the table of that name, otherwise its newest drop whose files still exist; or the one with an id. */
export interface LockedTable {
  id: string;
  environmentId: string;
  environment: string;
  kind: TableKind;
  ownerId: string | null;
  held: boolean;
  purgeStarted: boolean;
}

/**
 * Finds the target and locks it against drops, expiry and sweeps; also in a deleted environment.
 *
 * @param q.owner whose tables of that name precede all others
 */
export async function lockTableForLegalHold(
  client: Transaction,
  q: { environment: string; namespace: string; name: string; id?: string | undefined; owner?: string },
): Promise<LockedTable | null> {
  const rows = await client.$queryRaw<LockedTable[]>`
    SELECT t.id, e.id AS "environmentId", e.name AS environment, t.kind, t.owner_id AS "ownerId",
           t.held_at IS NOT NULL AS held, t.purge_started_at IS NOT NULL AS "purgeStarted"
    FROM environments e JOIN namespaces n ON n.environment_id = e.id JOIN tables t ON t.namespace_id = n.id
    WHERE e.name = ${q.environment} AND e.purged_at IS NULL AND n.path_key = ${nameKey(q.namespace)}
      AND t.name_key = ${nameKey(q.name)} AND t.purged_at IS NULL
      AND (${q.id ?? null}::uuid IS NULL OR t.id = ${q.id ?? null}::uuid)
    ORDER BY (t.owner_id = ${q.owner ?? null}::uuid) IS TRUE DESC, t.dropped_at IS NULL DESC, t.dropped_at DESC, t.id DESC
    LIMIT 1 FOR UPDATE OF t`;
  return rows[0] ?? null;
}

/** The newest drop of the same name, in any letter case, that is under a legal hold at `now`; null without one. */
export async function findDropWithLegalHold(
  client: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<string | null> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM tables x JOIN namespaces m ON m.id = x.namespace_id
    JOIN namespaces n ON n.environment_id = m.environment_id AND n.path_key = m.path_key
    JOIN tables t ON t.namespace_id = n.id AND t.name_key = x.name_key
    WHERE x.id = ${id}::uuid AND t.dropped_at IS NOT NULL AND t.purged_at IS NULL AND ${hasLegalHoldSql(now)}
    ORDER BY t.dropped_at DESC, t.id DESC LIMIT 1`;
  return rows[0]?.id ?? null;
}

/** @throws ApiError `table-held` if the table is under a legal hold and the action would lead to the removal of its files */
export async function requireNoLegalHold(
  client: Transaction,
  { id, action = 'removing its snapshots', now }: { id: string; action?: string; now: Date },
): Promise<void> {
  const [held] = await client.$queryRaw<{ table: string; environment: string }[]>`
    SELECT n.path || '.' || t.name AS table, e.name AS environment
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id JOIN environments e ON e.id = t.environment_id
    WHERE t.id = ${id}::uuid AND ${hasLegalHoldSql(now)}`;
  if (held !== undefined) throw legalHoldError(held, action, 'Release the hold first.');
}

export async function setLegalHold(
  client: Transaction,
  { id, reason, until, by, now }: { id: string; reason: string; until: Date | null; by: string; now: Date },
): Promise<void> {
  await client.table.update({
    where: { id },
    data: { held_at: now, held_by: by, hold_reason: reason, hold_until: until },
  });
}

export async function releaseLegalHold(client: Transaction, id: string): Promise<void> {
  await client.table.update({
    where: { id },
    data: { held_at: null, held_by: null, hold_reason: null, hold_until: null },
  });
}
