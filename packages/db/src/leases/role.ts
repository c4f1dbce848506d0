import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** A role that one process holds at a time; the fence grows with every change of hands. */
export interface RoleLease {
  name: string;
  holder: string;
  fence: bigint;
}

/**
 * Takes or keeps a role: null while another holder's lease runs, which a plain look tells. A role whose last holder stands
 * still in the middle of a transaction is not waited for: the server ends that transaction soon (`stillHolds`).
 */
export async function holdRole(
  client: Transaction,
  { name, holder, now, leaseMs }: { name: string; holder: string; now: Date; leaseMs: number },
): Promise<RoleLease | null> {
  const expires = new Date(now.getTime() + leaseMs);
  const known = await client.$queryRaw<{ mine: boolean; held: boolean }[]>`
    SELECT holder = ${holder}::uuid AS mine, expires_at > ${now} AS held FROM leases WHERE name = ${name}`;
  const row = known[0];
  if (row?.held && !row.mine) return null;
  if (row === undefined) {
    await client.$executeRaw`
      INSERT INTO leases (name, holder, fence, expires_at) VALUES (${name}, ${holder}::uuid, 0, ${new Date(0)})
      ON CONFLICT (name) DO NOTHING`;
  }
  // One's own transactions end by themselves: the renewal waits for them.
  const locked = row?.mine ? Prisma.sql`FOR UPDATE` : Prisma.sql`FOR UPDATE SKIP LOCKED`;
  const rows = await client.$queryRaw<{ fence: bigint }[]>`
    UPDATE leases SET holder = ${holder}::uuid, expires_at = ${expires},
      fence = fence + CASE WHEN holder = ${holder}::uuid AND fence > 0 THEN 0 ELSE 1 END
    WHERE name = (SELECT name FROM leases WHERE name = ${name}
                    AND (holder = ${holder}::uuid OR expires_at <= ${now}) ${locked})
    RETURNING fence`;
  return rows.length === 0 ? null : { name, holder, fence: rows[0]!.fence };
}

/** Until when a role is held, as far as its holder has said; null when nobody ever held it. */
export async function roleHeldUntil(client: Transaction, name: string): Promise<Date | null> {
  const rows = await client.$queryRaw<{ expires_at: Date }[]>`SELECT expires_at FROM leases WHERE name = ${name}`;
  return rows[0]?.expires_at ?? null;
}

/** Gives a role back, so that another process need not wait for the lease to end. */
export async function releaseRole(client: Transaction, lease: RoleLease): Promise<void> {
  // The row stays, so that the fence never begins anew.
  await client.lease.updateMany({
    where: { name: lease.name, holder: lease.holder, fence: lease.fence },
    data: { expires_at: new Date(0) },
  });
}

/** Milliseconds that a transaction of a role may stand still before the server ends it. */
const STILL_MS = 5000;

/**
 * True inside a transaction while the role is still held with this fence; holds it until the transaction ends, which the
 * server sees to when this process stands still: others must be able to take the role.
 */
export async function stillHolds(client: Transaction, lease: RoleLease): Promise<boolean> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT name, set_config('idle_in_transaction_session_timeout', ${String(STILL_MS)}, true) FROM leases WHERE name = ${lease.name} AND holder = ${lease.holder}::uuid AND fence = ${lease.fence} FOR SHARE`;
  return rows.length === 1;
}
