import type { Transaction } from '../connection/index.ts';

/** A role that one process holds at a time; the fence grows with every change of hands. */
export interface RoleLease {
  name: string;
  holder: string;
  fence: bigint;
}

/** Takes or keeps a role: null while another holder's lease runs, which a plain look tells. */
export async function holdRole(
  client: Transaction,
  { name, holder, now, leaseMs }: { name: string; holder: string; now: Date; leaseMs: number },
): Promise<RoleLease | null> {
  const expires = new Date(now.getTime() + leaseMs);
  const held = await client.$queryRaw<{ name: string }[]>`
    SELECT name FROM leases WHERE name = ${name} AND holder <> ${holder}::uuid AND expires_at > ${now}`;
  if (held.length > 0) return null;
  const rows = await client.$queryRaw<{ fence: bigint }[]>`
    INSERT INTO leases (name, holder, fence, expires_at) VALUES (${name}, ${holder}::uuid, 1, ${expires})
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
      fence = leases.fence + CASE WHEN leases.holder = excluded.holder THEN 0 ELSE 1 END
    WHERE leases.holder = excluded.holder OR leases.expires_at <= ${now}
    RETURNING fence`;
  const row = rows[0];
  return row === undefined ? null : { name, holder, fence: row.fence };
}

/** Gives a role back, so that another process need not wait for the lease to end. */
export async function releaseRole(client: Transaction, lease: RoleLease): Promise<void> {
  // The row stays, so that the fence never begins anew.
  await client.lease.updateMany({
    where: { name: lease.name, holder: lease.holder, fence: lease.fence },
    data: { expires_at: new Date(0) },
  });
}

/** True inside a transaction while the role is still held with this fence; holds it until the transaction ends. */
export async function stillHolds(client: Transaction, lease: RoleLease): Promise<boolean> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT name FROM leases WHERE name = ${lease.name} AND holder = ${lease.holder}::uuid AND fence = ${lease.fence} FOR SHARE`;
  return rows.length === 1;
}
