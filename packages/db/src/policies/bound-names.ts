import type { Transaction } from '../connection/index.ts';

/**
 * The names of an environment's tables (`namespace.table`, in lower case) with a row filter or column mask for the principal. Those of
 * dropped tables count: what was read from them remains.
 */
export async function boundTableNames(
  client: Transaction,
  { environmentId, principalId }: { environmentId: string; principalId: string },
): Promise<Set<string>> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    WITH mine AS MATERIALIZED (
      SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
      WHERE m.principal_id = ${principalId}::uuid AND m.removed_at IS NULL
    ), bound AS (
      SELECT x.table_id FROM row_filters x WHERE (x.ended_at IS NULL OR x.ended_by_drop IS NOT NULL)
        AND (x.principal_id = ${principalId}::uuid OR x.group_id IN (SELECT group_id FROM mine))
      UNION
      SELECT x.table_id FROM column_masks x WHERE (x.ended_at IS NULL OR x.ended_by_drop IS NOT NULL)
        AND (x.principal_id = ${principalId}::uuid OR x.group_id IN (SELECT group_id FROM mine))
    )
    SELECT n.path_key || '.' || t.name_key AS name FROM bound b
    JOIN tables t ON t.id = b.table_id AND t.environment_id = ${environmentId}::uuid
    JOIN namespaces n ON n.id = t.namespace_id`;
  return new Set(rows.map(({ name }) => name));
}
