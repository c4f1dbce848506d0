import { nameKey } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import type { StoredTable } from '../tables/index.ts';
import type { StoredField } from './policy-state.ts';

/** A policy that applies to a reader of a table. Filters combine with AND; masks apply in the given order (TABLE-8). */
export type BindingPolicy = {
  id: string;
  created_by: string | null;
  /** The fields that the policy was created for; null if none are stored. */
  fields: StoredField[] | null;
  /** Whether the policy couldn't be applied at its last use. */
  broken: boolean;
} & ({ kind: 'row_filter'; predicate: string } | { kind: 'column_mask'; column: string; expression: string });

/** What a statement needs to read a table. */
export type ReadableTable = Pick<
  StoredTable,
  'id' | 'namespace' | 'name' | 'kind' | 'columns' | 'location' | 'metadata_location' | 'format' | 'view_sql'
> & {
  snapshot_id: bigint | null;
  policies: BindingPolicy[];
  /** Folders of other tables inside this table's folder. Early versions let engines choose such locations. */
  inside: string[];
};

/** Finds a table by name, with the active policies that bind a principal, directly or through a group. */
export async function findReadableTable(
  client: Transaction,
  q: { environmentId: string; namespace: string; name: string; principalId: string },
): Promise<ReadableTable | null> {
  const rows = await client.$queryRaw<ReadableTable[]>`/* prepared find-readable-table */
    WITH t AS (
      SELECT t.id, n.path AS namespace, t.name, t.kind, t.columns, t.location, t.metadata_location, t.format,
             t.view_sql, t.snapshot_id
      FROM tables t JOIN namespaces n ON n.id = t.namespace_id
      WHERE n.environment_id = ${q.environmentId}::uuid AND n.path_key = ${nameKey(q.namespace)}
        AND n.dropped_at IS NULL AND t.name_key = ${nameKey(q.name)} AND t.dropped_at IS NULL
    ), mine AS (
      SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
      WHERE m.principal_id = ${q.principalId}::uuid AND m.removed_at IS NULL
    ), binding AS (
      SELECT 'row_filter' AS kind, created_at, id, created_by, fields, broken_at, predicate,
             NULL::text AS "column", NULL::text AS expression
      FROM row_filters
      WHERE table_id = (SELECT id FROM t) AND ended_at IS NULL
        AND (principal_id = ${q.principalId}::uuid OR group_id IN (SELECT group_id FROM mine))
      UNION ALL
      SELECT 'column_mask', created_at, id, created_by, fields, broken_at, NULL, "column", expression
      FROM column_masks
      WHERE table_id = (SELECT id FROM t) AND ended_at IS NULL
        AND (principal_id = ${q.principalId}::uuid OR group_id IN (SELECT group_id FROM mine))
    )
    SELECT t.*, coalesce((
        SELECT jsonb_agg(jsonb_build_object('kind', b.kind, 'id', b.id, 'created_by', p.name, 'fields', b.fields,
          'broken', b.broken_at IS NOT NULL, 'predicate', b.predicate, 'column', b."column",
          'expression', b.expression) ORDER BY b.created_at, b.id)
        FROM binding b LEFT JOIN principals p ON p.id = b.created_by
      ), '[]') AS policies,
      CASE WHEN t.kind = 'managed' THEN ARRAY(
        SELECT i.location FROM tables i WHERE i.purged_at IS NULL AND i.kind <> 'external'
          AND i.location COLLATE "C" > t.location || '/' AND i.location COLLATE "C" < t.location || '0'
      ) ELSE '{}' END AS inside
    FROM t`;
  return rows[0] ?? null;
}
