import { nameKey } from '@svc/core/access';
import { batched, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { StoredTable } from '../tables/index.ts';
import { groupsOf } from './binding.ts';
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

interface TableRequest {
  environmentId: string;
  namespace: string;
  name: string;
  principalId: string;
}

/** Finds a table by name, with the active policies that bind a principal, directly or through a group. */
export type FindReadableTable = (request: TableRequest) => Promise<ReadableTable | null>;

/** Finds the table of a single request. */
export async function findReadableTable(client: Transaction, request: TableRequest): Promise<ReadableTable | null> {
  const [table] = await findBatch(client, [request]);
  return table!;
}

/** Finds the tables of concurrent requests in batches. */
export function openReadableTables(client: Transaction): FindReadableTable {
  return batched((requests: readonly TableRequest[]) => findBatch(client, requests), {
    ...{ maxConcurrent: 2, maxSize: 32 },
    keyOf: ({ environmentId, principalId, namespace, name }) =>
      `${environmentId} ${principalId} ${nameKey(namespace)}.${nameKey(name)}`,
  });
}

/** The arrays come from sub-selects so that the planner can't see their length and plan again for each length. */
async function findBatch(client: Transaction, requests: readonly TableRequest[]): Promise<(ReadableTable | null)[]> {
  const rows = await client.$queryRaw<(ReadableTable & { n: number })[]>`/* prepared find-readable-tables */
    SELECT request.n::int, found.*
    FROM unnest((SELECT ${requests.map(({ environmentId }) => environmentId)}::uuid[]),
                (SELECT ${requests.map(({ namespace }) => nameKey(namespace))}::text[]),
                (SELECT ${requests.map(({ name }) => nameKey(name))}::text[]),
                (SELECT ${requests.map(({ principalId }) => principalId)}::uuid[]))
         WITH ORDINALITY AS request(environment_id, path_key, name_key, principal_id, n)
    CROSS JOIN LATERAL (
    WITH t AS (
      SELECT t.id, n.path AS namespace, t.name, t.kind, t.columns, t.location, t.metadata_location, t.format,
             t.view_sql, t.snapshot_id
      FROM tables t JOIN namespaces n ON n.id = t.namespace_id
      WHERE n.environment_id = request.environment_id AND n.path_key = request.path_key
        AND n.dropped_at IS NULL AND t.name_key = request.name_key AND t.dropped_at IS NULL
    ), mine AS (${groupsOf(Prisma.raw('request.principal_id'))}), binding AS (
      SELECT 'row_filter' AS kind, created_at, id, created_by, fields, broken_at, predicate,
             NULL::text AS "column", NULL::text AS expression
      FROM row_filters
      WHERE table_id = (SELECT id FROM t) AND ended_at IS NULL
        AND (principal_id = request.principal_id OR group_id IN (SELECT group_id FROM mine))
      UNION ALL
      SELECT 'column_mask', created_at, id, created_by, fields, broken_at, NULL, "column", expression
      FROM column_masks
      WHERE table_id = (SELECT id FROM t) AND ended_at IS NULL
        AND (principal_id = request.principal_id OR group_id IN (SELECT group_id FROM mine))
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
    FROM t
    ) found`;
  const results = requests.map((): ReadableTable | null => null);
  for (const { n, ...table } of rows) results[n - 1] = table;
  return results;
}
