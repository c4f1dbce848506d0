import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { ACTIVE_OR_DROPPED, bindingPolicies } from './binding.ts';

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

/**
 * Whether a row filter or column mask of a table binds the principal, or did when the table was dropped: what was written to it
 * remains.
 */
export async function isBoundIncludingDropped(
  client: Transaction,
  { tableId, principalId }: { tableId: string; principalId: string },
): Promise<boolean> {
  const ofTable = Prisma.sql`x.table_id = ${tableId}::uuid AND ${ACTIVE_OR_DROPPED}`;
  const [row] = await client.$queryRaw<{ bound: boolean }[]>`
    WITH ${bindingPolicies(principalId, ofTable)} SELECT EXISTS (SELECT 1 FROM binding) AS bound`;
  return row!.bound;
}
