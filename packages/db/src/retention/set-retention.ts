import type { RetentionRule } from '@svc/core/retention';
import type { Transaction } from '../connection/index.ts';
import type { EnvironmentRule } from './expiring.ts';

/**
 * Sets a table's own rule, which counts as activity (RETAIN-3). Returns false if the table was dropped concurrently.
 */
export async function setTableRetention(
  client: Transaction,
  { id, rule, by, now }: { id: string; rule: RetentionRule; by: string; now: Date },
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE tables SET retention_days = ${rule.days}, retention_on = ${rule.on}::date, retention_never = ${rule.never},
      retention_set_at = ${now}, retention_set_by = ${by}::uuid, updated_at = ${now}
    WHERE id = ${id}::uuid AND dropped_at IS NULL`;
  return changed === 1;
}

/** Sets the environment's rule for tables without one (RETAIN-1); null removes it. Returns the previous days. */
export async function setEnvironmentRetention(
  client: Transaction,
  { id, days, by, now }: { id: string; days: number | null; by: string; now: Date },
): Promise<number | null> {
  const rows = await client.$queryRaw<{ retention_days: number | null }[]>`
    SELECT retention_days FROM environments WHERE id = ${id}::uuid FOR UPDATE`;
  await client.environment.update({
    where: { id },
    data: {
      retention_days: days,
      retention_set_at: days === null ? null : now,
      retention_set_by: days === null ? null : by,
    },
  });
  return rows[0]?.retention_days ?? null;
}

/** The environment's rule for tables without one, or null. */
export async function findEnvironmentRule(client: Transaction, id: string): Promise<EnvironmentRule | null> {
  const row = await client.environment.findUnique({
    where: { id },
    select: { retention_days: true, retention_set_at: true },
  });
  if (row === null || row.retention_days === null || row.retention_set_at === null) return null;
  return { days: row.retention_days, setAt: row.retention_set_at };
}
