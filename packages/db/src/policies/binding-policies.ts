import type { Transaction } from '../connection/index.ts';

/** What binds one reader of a table: filters combine with AND, masks apply in the order given. */
export interface BindingPolicies {
  rowFilters: string[];
  masks: { column: string; expression: string }[];
}

/** The active policies on a table that bind a principal, by itself or through a group. */
export async function bindingPolicies(
  client: Transaction,
  { tableId, principalId }: { tableId: string; principalId: string },
): Promise<BindingPolicies> {
  const rows = await client.$queryRaw<
    { predicate: string | null; column: string | null; expression: string | null }[]
  >`/* prepared binding-policies */
    WITH mine AS (
      SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
      WHERE m.principal_id = ${principalId}::uuid AND m.removed_at IS NULL
    ), binding AS (
      SELECT created_at, id, predicate, NULL::text AS "column", NULL::text AS expression FROM row_filters
      WHERE table_id = ${tableId}::uuid AND ended_at IS NULL
        AND (principal_id = ${principalId}::uuid OR group_id IN (SELECT group_id FROM mine))
      UNION ALL
      SELECT created_at, id, NULL, "column", expression FROM column_masks
      WHERE table_id = ${tableId}::uuid AND ended_at IS NULL
        AND (principal_id = ${principalId}::uuid OR group_id IN (SELECT group_id FROM mine))
    )
    SELECT predicate, "column", expression FROM binding ORDER BY created_at, id`;
  return {
    rowFilters: rows.flatMap(({ predicate }) => (predicate === null ? [] : [predicate])),
    masks: rows.flatMap(({ column, expression }) => (column === null ? [] : [{ column, expression: expression! }])),
  };
}
