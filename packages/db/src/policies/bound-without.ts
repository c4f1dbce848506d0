import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { ACTIVE_OR_DROPPED, bindingPolicies, groupsOf } from './binding.ts';

/**
 * Whether a row filter or column mask of a table in the environment binds a principal and not another one. Those that a restore of a
 * dropped table brings back count.
 */
export async function isBoundWithout(
  client: Transaction,
  { environmentId, principalId, otherId }: { environmentId: string; principalId: string; otherId: string },
): Promise<boolean> {
  const other = Prisma.sql`${otherId}::uuid`;
  const [row] = await client.$queryRaw<{ bound: boolean }[]>`
    WITH ${bindingPolicies(principalId, ACTIVE_OR_DROPPED)}, others AS MATERIALIZED (${groupsOf(other)})
    SELECT EXISTS (
      SELECT 1 FROM binding b JOIN tables t ON t.id = b.table_id
      WHERE t.environment_id = ${environmentId}::uuid AND t.purged_at IS NULL
        AND b.principal_id IS DISTINCT FROM ${other}
        AND (b.group_id IS NULL OR b.group_id NOT IN (SELECT group_id FROM others))) AS bound`;
  return row!.bound;
}
