import { type EffectiveGrant, nameKey } from '@svc/core/access';
import {
  GRANTS_ARRAY,
  GRANTS_ON_OBJECTS,
  INSTANCE_ID,
  namespaceChains,
  type StoredGrant,
  toEffectiveGrant,
} from '../access/index.ts';
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
  /** Folders of other tables inside this table's folder. Engines may choose such locations (TABLE-10). */
  inside: string[];
};

/** What decides whether a principal may read a table, and what it then needs. */
export interface TableAccess {
  /** Null if no such table exists. */
  table: ReadableTable | null;
  /** The principal's active grants on the table and everything that contains it. */
  grants: EffectiveGrant[];
}

interface TableRequest {
  environment: { id: string; name: string };
  namespace: string;
  name: string;
  principalId: string;
  now: Date;
}

/** Finds a table by name, with the grants of a principal on it and the active policies that bind it, directly or through a group. */
export type FindReadableTable = (request: TableRequest) => Promise<TableAccess>;

/** Finds the table of a single request. */
export async function findReadableTable(client: Transaction, request: TableRequest): Promise<TableAccess> {
  const [access] = await findBatch(client, [request]);
  return access!;
}

/** Finds the tables of concurrent requests in batches. */
export function openReadableTables(client: Transaction): FindReadableTable {
  return batched((requests: readonly TableRequest[]) => findBatch(client, requests), {
    ...{ maxConcurrent: 2, maxSize: 32 },
    keyOf: ({ environment, principalId, namespace, name }) =>
      `${environment.id} ${principalId} ${nameKey(namespace)}.${nameKey(name)}`,
  });
}

type Row = Omit<ReadableTable, 'id'> & { n: number; id: string | null; grants: StoredGrant[] };

/**
 * One statement, because several would cost short queries more than all of its parts. The arrays come from sub-selects so
 * that the planner can't see their length and plan again for each length.
 */
async function findBatch(client: Transaction, requests: readonly TableRequest[]): Promise<TableAccess[]> {
  const innermost = requests.map(({ namespace }) => nameKey(namespace));
  const { chains, first, last } = namespaceChains(innermost);
  const rows = await client.$queryRaw<Row[]>`/* prepared find-readable-tables */
    SELECT request.n::int, found.*
    FROM unnest((SELECT ${requests.map(({ environment }) => environment.id)}::uuid[]),
                (SELECT ${first}::int[]), (SELECT ${last}::int[]), (SELECT ${innermost}::text[]),
                (SELECT ${requests.map(({ name }) => nameKey(name))}::text[]),
                (SELECT ${requests.map(({ principalId }) => principalId)}::uuid[]),
                (SELECT ${requests.map(({ now }) => now.toISOString())}::timestamptz[]))
         WITH ORDINALITY AS request(environment_id, first, last, innermost, name_key, principal_id, now, n)
    CROSS JOIN LATERAL (
    WITH caller AS (SELECT request.principal_id AS id), namespace AS MATERIALIZED (
      SELECT id, path, path_key FROM namespaces
      WHERE environment_id = request.environment_id AND dropped_at IS NULL
        AND path_key = ANY((${chains}::text[])[request.first:request.last])
    ), t AS MATERIALIZED (
      SELECT t.id, n.path AS namespace, t.name, t.kind, t.columns, t.location, t.metadata_location, t.format,
             t.view_sql, t.snapshot_id
      FROM namespace n JOIN tables t ON t.namespace_id = n.id
      WHERE n.path_key = request.innermost AND t.name_key = request.name_key AND t.dropped_at IS NULL
    ), object AS MATERIALIZED (
      SELECT ${INSTANCE_ID}::uuid AS id, NULL::text AS namespace, NULL::text AS name
      UNION ALL SELECT request.environment_id, NULL, NULL
      UNION ALL SELECT id, path, NULL FROM namespace
      UNION ALL SELECT id, namespace, name FROM t
    ), ${GRANTS_ON_OBJECTS}, mine AS (${groupsOf(Prisma.raw('request.principal_id'))}), binding AS (
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
      ) ELSE '{}' END AS inside, ${GRANTS_ARRAY} AS grants
    FROM (SELECT) one LEFT JOIN t ON true
    ) found`;
  const accesses = requests.map((): TableAccess => ({ table: null, grants: [] }));
  for (const { n, id, grants, ...table } of rows) {
    const environment = requests[n - 1]!.environment.name;
    accesses[n - 1] = {
      table: id === null ? null : { id, ...table },
      grants: grants.map((grant) => toEffectiveGrant(grant, environment)),
    };
  }
  return accesses;
}
