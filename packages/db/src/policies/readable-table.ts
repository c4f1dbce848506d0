import { nameKey } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import type { StoredTable } from '../tables/index.ts';

/** What binds one reader of a table: filters combine with AND, masks apply in the order given. */
export interface BindingPolicies {
  rowFilters: string[];
  masks: { column: string; expression: string }[];
}

/** What a statement that reads a table needs of it. */
export type ReadableTable = Pick<
  StoredTable,
  'id' | 'namespace' | 'name' | 'kind' | 'columns' | 'location' | 'metadata_location' | 'format' | 'view_sql'
> & {
  policies: BindingPolicies;
  /** Folders of other tables that lie inside its own: older versions of the service let engines choose such places. */
  inside: string[];
};

/** A table by its name, with the active policies on it that bind a principal, by itself or through a group. */
export async function findReadableTable(
  client: Transaction,
  q: { environmentId: string; namespace: string; name: string; principalId: string },
): Promise<ReadableTable | null> {
  const rows = await client.$queryRaw<
    (Omit<ReadableTable, 'policies'> & {
      binding: { predicate: string | null; column: string | null; expression: string | null }[];
    })[]
  >`/* prepared find-readable-table */
    WITH t AS (
      SELECT t.id, n.path AS namespace, t.name, t.kind, t.columns, t.location, t.metadata_location, t.format, t.view_sql
      FROM tables t JOIN namespaces n ON n.id = t.namespace_id
      WHERE n.environment_id = ${q.environmentId}::uuid AND n.path_key = ${nameKey(q.namespace)}
        AND n.dropped_at IS NULL AND t.name_key = ${nameKey(q.name)} AND t.dropped_at IS NULL
    ), mine AS (
      SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
      WHERE m.principal_id = ${q.principalId}::uuid AND m.removed_at IS NULL
    ), binding AS (
      SELECT created_at, id, predicate, NULL::text AS "column", NULL::text AS expression FROM row_filters
      WHERE table_id = (SELECT id FROM t) AND ended_at IS NULL
        AND (principal_id = ${q.principalId}::uuid OR group_id IN (SELECT group_id FROM mine))
      UNION ALL
      SELECT created_at, id, NULL, "column", expression FROM column_masks
      WHERE table_id = (SELECT id FROM t) AND ended_at IS NULL
        AND (principal_id = ${q.principalId}::uuid OR group_id IN (SELECT group_id FROM mine))
    )
    SELECT t.*, coalesce((SELECT jsonb_agg(to_jsonb(b) ORDER BY b.created_at, b.id) FROM binding b), '[]') AS binding,
      CASE WHEN t.kind = 'managed' THEN ARRAY(
        SELECT i.location FROM tables i WHERE i.purged_at IS NULL AND i.kind <> 'external'
          AND i.location COLLATE "C" > t.location || '/' AND i.location COLLATE "C" < t.location || '0'
      ) ELSE '{}' END AS inside
    FROM t`;
  if (rows[0] === undefined) return null;
  const { binding, ...table } = rows[0];
  const rowFilters = binding.flatMap(({ predicate }) => (predicate === null ? [] : [predicate]));
  const masks = binding.flatMap(({ column, expression }) =>
    column === null ? [] : [{ column, expression: expression! }],
  );
  return { ...table, policies: { rowFilters, masks } };
}
