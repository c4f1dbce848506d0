import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/**
 * Whether a row filter or column mask of a table in the environment binds a principal and not another one. Those that a restore of a
 * dropped table brings back count.
 */
export async function isBoundWithout(
  client: Transaction,
  { environmentId, principalId, otherId }: { environmentId: string; principalId: string; otherId: string },
): Promise<boolean> {
  const groupsOf = (id: string) => Prisma.sql`
    SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
    WHERE m.principal_id = ${id}::uuid AND m.removed_at IS NULL`;
  const bound = (policies: 'row_filters' | 'column_masks') => Prisma.sql`EXISTS (
    SELECT 1 FROM tables t JOIN ${Prisma.raw(policies)} x ON x.table_id = t.id AND (x.ended_at IS NULL OR x.ended_by_drop IS NOT NULL)
    WHERE t.environment_id = ${environmentId}::uuid AND t.purged_at IS NULL
      AND (x.principal_id = ${principalId}::uuid OR x.group_id IN (SELECT group_id FROM caller))
      AND x.principal_id IS DISTINCT FROM ${otherId}::uuid
      AND (x.group_id IS NULL OR x.group_id NOT IN (SELECT group_id FROM other)))`;
  const [row] = await client.$queryRaw<{ bound: boolean }[]>`
    WITH caller AS MATERIALIZED (${groupsOf(principalId)}), other AS MATERIALIZED (${groupsOf(otherId)})
    SELECT ${bound('row_filters')} OR ${bound('column_masks')} AS bound`;
  return row!.bound;
}
