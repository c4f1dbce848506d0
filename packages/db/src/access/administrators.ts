import { ApiError } from '@svc/core/errors';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

const ADMIN_LOCK = 0x73766361;

/** Ids of principals with ADMIN on the instance, directly or through a group, by a grant that doesn't expire. */
const administrators = (withoutGrant: string | null) => {
  const counts = Prisma.sql`g.role = 'ADMIN' AND g.kind = 'INSTANCE' AND g.ended_at IS NULL AND g.expires_at IS NULL
    AND g.id IS DISTINCT FROM ${withoutGrant}::uuid`;
  return Prisma.sql`
    SELECT g.principal_id FROM grants g WHERE g.principal_id IS NOT NULL AND ${counts}
    UNION ALL
    SELECT m.principal_id FROM grants g
    JOIN groups gr ON gr.id = g.group_id AND gr.deleted_at IS NULL
    JOIN group_members m ON m.group_id = gr.id AND m.removed_at IS NULL
    WHERE ${counts}`;
};

/**
 * Rejects the changes of this transaction if they leave no active principal with ADMIN on the instance (ACCESS-23); a
 * grant that expires doesn't count (ACCESS-36). `withoutGrant` is treated as revoked. The lock serializes such changes:
 * two of them could otherwise each remove the other's last administrator.
 */
export async function requireAdminLeft(client: Transaction, withoutGrant: string | null = null): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(${ADMIN_LOCK}::bigint)`;
  const rows = await client.$queryRaw<{ hasAdmin: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM principals p WHERE p.active AND p.deleted_at IS NULL AND p.id IN (${administrators(withoutGrant)})
    ) AS "hasAdmin"`;
  if (rows[0]?.hasAdmin) return;
  throw new ApiError(
    'last-admin',
    'This would leave no active administrator. Grant another principal the ADMIN role first.',
    {
      remedy: 'svc grant create --kind INSTANCE --principal <name> --role ADMIN',
    },
  );
}
