import { at, isActive } from '../access/active-grant.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/**
 * A grant, row filter or column mask that a restore brought back; `table_id` is null for a grant that isn't on a table.
 */
export interface RestoredPolicy {
  kind: 'grant' | 'row_filter' | 'column_mask';
  id: string;
  table_id: string | null;
}

/**
 * Revokes the grants, row filters and column masks of dropped tables and marks them with their drop (DROP-1). Returns
 * how many each table had, by table id.
 */
export async function revokePoliciesOf(
  client: Transaction,
  { tableIds, by, now }: { tableIds: readonly string[]; by: string | null; now: Date },
): Promise<Map<string, number>> {
  const revocation = Prisma.sql`ended_at = ${now}::timestamptz, ended_by = ${by}::uuid, ended_by_drop = t.drop_id
    FROM tables t WHERE t.id = ANY(${[...tableIds]}::uuid[])`;
  const rows = await client.$queryRaw<{ id: string; n: bigint }[]>`
    WITH g AS (UPDATE grants x SET ${revocation} AND x.object_id = t.id AND ${isActive('x', at(now))} RETURNING t.id),
         f AS (UPDATE row_filters x SET ${revocation} AND x.table_id = t.id AND x.ended_at IS NULL RETURNING t.id),
         m AS (UPDATE column_masks x SET ${revocation} AND x.table_id = t.id AND x.ended_at IS NULL RETURNING t.id)
    SELECT id, count(*) AS n FROM (SELECT * FROM g UNION ALL SELECT * FROM f UNION ALL SELECT * FROM m) u GROUP BY id`;
  return new Map(rows.map(({ id, n }) => [id, Number(n)]));
}

/**
 * Restores exactly what the given drops revoked (DROP-6). Policies revoked earlier, and those of principals or groups
 * deleted since, stay revoked.
 */
export async function restorePolicies(client: Transaction, dropIds: readonly string[]): Promise<RestoredPolicy[]> {
  await lockGrantees(client, dropIds);
  const restored = Prisma.sql`ended_at = NULL, ended_by = NULL, ended_by_drop = NULL
    WHERE x.ended_by_drop = ANY(${[...dropIds]}::uuid[])
      AND NOT EXISTS (SELECT 1 FROM principals p WHERE p.id = x.principal_id AND p.deleted_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM groups gr WHERE gr.id = x.group_id AND gr.deleted_at IS NOT NULL)`;
  return client.$queryRaw<RestoredPolicy[]>`
    WITH g AS (UPDATE grants x SET ${restored} RETURNING id, table_id, created_at),
         f AS (UPDATE row_filters x SET ${restored} RETURNING id, table_id, created_at),
         m AS (UPDATE column_masks x SET ${restored} RETURNING id, table_id, created_at)
    SELECT * FROM (
      SELECT 'grant' AS kind, * FROM g UNION ALL SELECT 'row_filter', * FROM f UNION ALL SELECT 'column_mask', * FROM m
    ) u ORDER BY created_at, id`;
}

/** Their deletion waits until the policies are restored, and then ends them too; or it is over, and they stay revoked. */
async function lockGrantees(client: Transaction, dropIds: readonly string[]): Promise<void> {
  const columns = Prisma.sql`principal_id, group_id`;
  const dropped = Prisma.sql`WHERE ended_by_drop = ANY(${[...dropIds]}::uuid[])`;
  const policies = Prisma.sql`SELECT ${columns} FROM grants ${dropped} UNION SELECT ${columns} FROM row_filters ${dropped}
    UNION SELECT ${columns} FROM column_masks ${dropped}`;
  await client.$executeRaw`
    SELECT 1 FROM principals WHERE id IN (SELECT principal_id FROM (${policies}) x) ORDER BY id FOR SHARE`;
  await client.$executeRaw`SELECT 1 FROM groups WHERE id IN (SELECT group_id FROM (${policies}) x) ORDER BY id FOR SHARE`;
}
