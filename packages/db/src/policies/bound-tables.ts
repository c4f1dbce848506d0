import type { Transaction } from '../connection/index.ts';

/** Returns those of the tables that have a row filter or column mask for the principal, directly or through a group. */
export async function boundTables(
  client: Transaction,
  { tableIds, principalId }: { tableIds: readonly string[]; principalId: string },
): Promise<Set<string>> {
  if (tableIds.length === 0) return new Set();
  const rows = await client.$queryRaw<{ table_id: string }[]>`/* prepared bound-tables */
    WITH mine AS (
      SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
      WHERE m.principal_id = ${principalId}::uuid AND m.removed_at IS NULL
    )
    SELECT x.table_id FROM row_filters x WHERE x.table_id = ANY(${[...tableIds]}::uuid[]) AND x.ended_at IS NULL
      AND (x.principal_id = ${principalId}::uuid OR x.group_id IN (SELECT group_id FROM mine))
    UNION
    SELECT x.table_id FROM column_masks x WHERE x.table_id = ANY(${[...tableIds]}::uuid[]) AND x.ended_at IS NULL
      AND (x.principal_id = ${principalId}::uuid OR x.group_id IN (SELECT group_id FROM mine))`;
  return new Set(rows.map((row) => row.table_id));
}
