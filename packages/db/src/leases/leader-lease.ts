import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { expiriesAt } from './expiries-at.ts';

/** A leader lease. The fence grows with every change of holder, so that writes of a former leader can be rejected. */
export interface LeaderLease {
  name: string;
  holder: string;
  fence: bigint;
}

/**
 * Acquires or renews the lease `name`. Returns null while another holder's lease is valid, which a plain read can see.
 * The function never waits for a former holder that is stalled in a transaction: the server aborts that transaction
 * soon (see `lockLeaderLease`).
 */
export async function acquireLeaderLease(
  client: Transaction,
  { name, holder, now, leaseMs }: { name: string; holder: string; now: Date; leaseMs: number },
): Promise<LeaderLease | null> {
  const expires = new Date(now.getTime() + leaseMs);
  const current = await client.$queryRaw<{ isOwn: boolean; isValid: boolean }[]>`
    SELECT holder = ${holder}::uuid AS "isOwn", expires_at > ${now} AS "isValid" FROM leases WHERE name = ${name}`;
  const row = current[0];
  if (row?.isValid && !row.isOwn) return null;
  if (row === undefined) {
    await client.$executeRaw`
      INSERT INTO leases (name, holder, fence, expires_at) VALUES (${name}, ${holder}::uuid, 0, ${new Date(0)})
      ON CONFLICT (name) DO NOTHING`;
  }
  // Wait for this process's own transactions: they finish without help. Skip a row that another process has locked.
  const locked = row?.isOwn ? Prisma.sql`FOR UPDATE` : Prisma.sql`FOR UPDATE SKIP LOCKED`;
  const rows = await client.$queryRaw<{ fence: bigint }[]>`
    UPDATE leases SET holder = ${holder}::uuid, expires_at = ${expires},
      fence = fence + CASE WHEN holder = ${holder}::uuid AND fence > 0 THEN 0 ELSE 1 END
    WHERE name = (SELECT name FROM leases WHERE name = ${name}
                    AND (holder = ${holder}::uuid OR expires_at <= ${now}) ${locked})
    RETURNING fence`;
  return rows.length === 0 ? null : { name, holder, fence: rows[0]!.fence };
}

/** When the lease expires; null if nobody ever acquired it. */
export async function leaderLeaseExpiry(client: Transaction, name: string): Promise<Date | null> {
  const rows = await client.$queryRaw<{ expires_at: Date }[]>`SELECT expires_at FROM leases WHERE name = ${name}`;
  return rows[0]?.expires_at ?? null;
}

/**
 * Shortens a lease from before the clock was set back: if its holder is gone, nobody else would become the leader for as long as
 * the clock was wrong.
 */
export async function shortenLeaderLease(
  client: Transaction,
  { name, now }: { name: string; now: Date },
): Promise<void> {
  const { furthest, longest } = expiriesAt(now);
  await client.lease.updateMany({ where: { name, expires_at: { gt: furthest } }, data: { expires_at: longest } });
}

/** Releases a lease early, so that another process doesn't have to wait until it expires. */
export async function releaseLeaderLease(client: Transaction, lease: LeaderLease): Promise<void> {
  // Deleting the row would restart the fence.
  await client.lease.updateMany({
    where: { name: lease.name, holder: lease.holder, fence: lease.fence },
    data: { expires_at: new Date(0) },
  });
}

/** Milliseconds that a leader's transaction may stay idle before the server aborts it. */
const IDLE_IN_TRANSACTION_MS = 5000;

/**
 * Checks inside a transaction that the lease is still valid with this fence, and locks it until the transaction
 * commits. If this process stalls, the server aborts the transaction, so that another process can take over.
 */
export async function lockLeaderLease(client: Transaction, lease: LeaderLease): Promise<boolean> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT name, set_config('idle_in_transaction_session_timeout', ${String(IDLE_IN_TRANSACTION_MS)}, true) FROM leases WHERE name = ${lease.name} AND holder = ${lease.holder}::uuid AND fence = ${lease.fence} FOR SHARE`;
  return rows.length === 1;
}
