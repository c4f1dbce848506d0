import type { Transaction } from '../connection/index.ts';

export interface NewBundle {
  id: string;
  environmentId: string;
  location: string;
  sha256: string;
  size: number;
  createdBy: string;
  now: Date;
  expiresAt: Date;
}

export async function storeBundle(client: Transaction, b: NewBundle): Promise<void> {
  await client.bundle.create({
    data: {
      id: b.id,
      environment_id: b.environmentId,
      location: b.location,
      sha256: b.sha256,
      size_bytes: b.size,
      created_at: b.now,
      created_by: b.createdBy,
      expires_at: b.expiresAt,
    },
  });
}

export async function findBundle(
  client: Transaction,
  { id, environmentId }: { id: string; environmentId: string },
): Promise<{ location: string } | null> {
  return client.bundle.findFirst({ where: { id, environment_id: environmentId }, select: { location: true } });
}

/** Removes up to `limit` expired bundles that no unfinished deploy needs, and returns their locations. */
export async function claimExpiredBundles(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    DELETE FROM bundles WHERE id IN (
      SELECT b.id FROM bundles b WHERE b.expires_at <= ${now}
        AND NOT EXISTS (SELECT 1 FROM deploys d WHERE d.bundle_id = b.id AND d.status IN ('queued', 'running'))
      ORDER BY b.expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING location`;
  return rows.map(({ location }) => location);
}
