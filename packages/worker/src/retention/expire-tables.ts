import { scopeOf } from '@svc/core/access';
import { type Retention, retentionOf } from '@svc/core/retention';
import { recordEvent } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { dropDetail, dropTable } from '@svc/db/drops';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import { claimExpired, findExpired } from '@svc/db/retention';
import { activityOf, retentionFacts, type StoredTable } from '@svc/db/tables';
import type { SweepDeps } from '../drops/index.ts';

/** Drops expired tables, most overdue first, up to the maximum per sweep (RETAIN-6). Returns their number. */
export async function expireTables(deps: SweepDeps, lease: LeaderLease, signal: AbortSignal): Promise<number> {
  const { db, clock, settings } = deps;
  let expired = 0;
  for (const id of await findExpired(db.prisma, { now: clock(), limit: settings.maxExpiriesPerSweep })) {
    signal.throwIfAborted();
    if (await expireOne(deps, lease, id)) expired++;
  }
  return expired;
}

/** Checks again with the table locked: it may have been written or read, or its rule changed, since it was found. */
function expireOne({ db, clock, newId, settings }: SweepDeps, lease: LeaderLease, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return false;
    const table = await claimExpired(tx, id);
    if (table === null) return false;
    const now = clock();
    const retention = retentionOf(retentionFacts(table, now));
    if (retention.expiresAt === null || retention.expiresAt > now) return false;
    const drop = { id, dropId: newId(), reason: 'retention' as const, by: null, undoDays: settings.undoDays, now };
    const dropped = await dropTable(tx, drop);
    if (dropped === null) return false;
    await recordEvent(tx, {
      id: newId(),
      time: now,
      type: 'TABLE_DROPPED',
      principal: null,
      object: scopeOf({ environment: table.environment, namespace: table.namespace, table: table.name }),
      environmentId: table.environment_id,
      requestId: null,
      detail: dropDetail(dropped, 'retention', ruleOf(table, retention)),
    });
    return true;
  });
}

/** The rule by which it expired. */
function ruleOf(table: StoredTable, { source, days, on, expiresAt }: Retention): Record<string, unknown> {
  return {
    source,
    days,
    on,
    set_by: source === 'table' ? table.retention_set_by : table.environment_set_by,
    last_activity_at: activityOf(table).toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
