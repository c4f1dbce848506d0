import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { bindingPolicies } from './binding.ts';

/** Returns those of the tables that have a row filter or column mask for the principal, directly or through a group. */
export async function boundTables(
  client: Transaction,
  { tableIds, principalId }: { tableIds: readonly string[]; principalId: string },
): Promise<Set<string>> {
  if (tableIds.length === 0) return new Set();
  const active = Prisma.sql`x.table_id = ANY(${[...tableIds]}::uuid[]) AND x.ended_at IS NULL`;
  const rows = await client.$queryRaw<{ table_id: string }[]>`/* prepared bound-tables */
    WITH ${bindingPolicies(principalId, active)} SELECT DISTINCT table_id FROM binding`;
  return new Set(rows.map((row) => row.table_id));
}
