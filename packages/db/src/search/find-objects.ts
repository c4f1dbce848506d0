import { SEARCH_KINDS, type SearchKind, type SearchResult } from '@svc/core/search';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type VisiblePaths, visiblePathsSql } from '../namespaces/index.ts';
import { type VisibleTables, visibleTablesSql } from '../tables/index.ts';

/** What a caller may find in an environment. `projects`: its assets and jobs. */
export interface SearchScope {
  namespaces: VisiblePaths;
  tables: VisibleTables;
  projects: boolean;
}

/** The sort key of a result. */
export type SearchPosition = readonly [rank: number, key: string, kind: number, name: string, repository: string];

export interface Search {
  environmentId: string;
  text: string;
  kinds: readonly SearchKind[];
  scope: SearchScope;
  after: SearchPosition | null;
  limit: number;
}

interface Row {
  rank: number;
  key: string;
  kind: number;
  name: string;
  description: string | null;
  table: string | null;
  repository: string | null;
}

/**
 * Finds the objects whose qualified name and description contain all terms of the text (SEARCH-1), in the order of
 * SEARCH-3.
 */
export async function findObjects(
  client: Transaction,
  q: Search,
): Promise<{ items: SearchResult[]; next: SearchPosition | null }> {
  const kinds = q.kinds.filter((kind) => q.scope.projects || (kind !== 'asset' && kind !== 'job'));
  if (kinds.length === 0) return { items: [], next: null };
  const terms = q.text.split(/\s+/);
  const parts = objectsOf(kinds, terms, q);
  // OFFSET 0 makes PostgreSQL compute the lower-case texts once, not at each use.
  const found = await client.$queryRaw<Row[]>`
    WITH objects AS (
      SELECT u.*, lower(u.name) AS key, lower(u.own_name) AS own_key, lower(coalesce(u.description, '')) AS about
      FROM (${Prisma.join(parts, ' UNION ALL ')}) u OFFSET 0
    ),
    found AS (
      SELECT o.*, ${rankSql(terms)} AS rank FROM objects o
      WHERE ${each(terms, (term) => Prisma.sql`(strpos(key, ${term}) > 0 OR strpos(about, ${term}) > 0)`)}
    )
    SELECT rank, key, kind, name, description, "table", repository FROM found ${following(q.after)}
    ORDER BY ${SORT_KEY} LIMIT ${q.limit + 1}`;
  const rows = found.slice(0, q.limit);
  return { items: rows.map(result), next: found.length > q.limit ? positionOf(rows.at(-1)!) : null };
}

const result = ({ kind, name, description, table, repository }: Row): SearchResult => ({
  kind: SEARCH_KINDS[kind]!,
  name,
  description,
  table,
  repository,
});

// Byte order, whatever the database's: the cursor compares the same texts.
const SORT_KEY = Prisma.sql`rank, key COLLATE "C", kind, name COLLATE "C", coalesce(repository, '') COLLATE "C"`;

const positionOf = ({ rank, key, kind, name, repository }: Row): SearchPosition => [
  rank,
  key,
  kind,
  name,
  repository ?? '',
];

function following(after: SearchPosition | null): Prisma.Sql {
  if (after === null) return Prisma.empty;
  const [rank, key, kind, name, repository] = after;
  return Prisma.sql`WHERE (${SORT_KEY}) > (${rank}::int, ${key}, ${kind}::int, ${name}, ${repository})`;
}

/** `condition` for each term, in lower case. */
const each = (terms: readonly string[], condition: (term: Prisma.Sql) => Prisma.Sql): Prisma.Sql =>
  Prisma.join(
    [...new Set(terms)].map((term) => condition(lowerSql(term))),
    ' AND ',
  );

const lowerSql = (text: string): Prisma.Sql => Prisma.sql`lower(${text}::text)`;

/**
 * The group of a result in SEARCH-3. A qualified name starts with the text only if the text reaches into its last part:
 * otherwise a text such as `shop` would list everything in the namespace before other names that start with it.
 */
function rankSql(terms: readonly string[]): Prisma.Sql {
  const text = lowerSql(terms.join(' '));
  return Prisma.sql`CASE
    WHEN own_key = ${text} OR key = ${text} THEN 0
    WHEN starts_with(own_key, ${text})
      OR (starts_with(key, ${text}) AND length(${text}) > length(key) - length(own_key)) THEN 1
    WHEN ${each(terms, (term) => Prisma.sql`strpos(key, ${term}) > 0`)} THEN 2
    ELSE 3 END`;
}

/** Selects the objects of these kinds that the caller may find. Tables and columns may not contain the terms yet. */
function objectsOf(kinds: readonly SearchKind[], terms: readonly string[], q: Search): Prisma.Sql[] {
  const selectOf = (kind: SearchKind) =>
    Prisma.sql`(SELECT ${SEARCH_KINDS.indexOf(kind)}::int AS kind, ${OBJECTS[kind](q)})`;
  const inTables = kinds.filter((kind) => kind === 'table' || kind === 'column').map(selectOf);
  const others = kinds.filter((kind) => kind !== 'table' && kind !== 'column').map(selectOf);
  if (inTables.length === 0) return others;
  return [
    ...others,
    Prisma.sql`(SELECT o.* FROM (${tablesWith(terms, q)}) t CROSS JOIN LATERAL (${Prisma.join(inTables, ' UNION ALL ')}) o)`,
  ];
}

/** The columns of each kind's objects after `kind`; those of tables and columns are selected for each table `t`. */
const OBJECTS: Record<SearchKind, (q: Search) => Prisma.Sql> = {
  namespace: ({ environmentId, scope }) => Prisma.sql`
    n.path AS name, regexp_replace(n.path, '^.*\\.', '') AS own_name, n.description, NULL AS "table", NULL AS repository
    FROM namespaces n WHERE n.environment_id = ${environmentId}::uuid AND n.dropped_at IS NULL
      ${visiblePathsSql(scope.namespaces)}`,
  table: () => Prisma.sql`t.name, t.own_name, t.description, NULL AS "table", NULL AS repository`,
  column: () => Prisma.sql`
    t.name || '.' || c.name AS name, c.name AS own_name, c.description, t.name AS "table", NULL AS repository
    FROM jsonb_to_recordset(t.columns) AS c(name text, description text)`,
  asset: ({ environmentId }) => Prisma.sql`
    a.name, regexp_replace(a.name, '^.*\\.', '') AS own_name, a.description, NULL AS "table", r.name AS repository
    FROM deployments d JOIN project_versions v ON v.id = d.project_version_id
    JOIN repositories r ON r.id = d.repository_id, jsonb_to_recordset(v.assets) AS a(name text, description text)
    WHERE d.environment_id = ${environmentId}::uuid AND d.ended_at IS NULL`,
  job: ({ environmentId }) => Prisma.sql`
    j.name, j.name AS own_name, NULL AS description, NULL AS "table", r.name AS repository
    FROM jobs j JOIN repositories r ON r.id = j.repository_id
    JOIN deployments d ON d.environment_id = j.environment_id AND d.repository_id = j.repository_id AND d.ended_at IS NULL
    WHERE j.environment_id = ${environmentId}::uuid AND j.removed_at IS NULL`,
};

/**
 * The visible tables that may contain a result. Their search texts decide, because unpacking the columns of all tables is
 * slow. A text lists the columns by their own names, so it contains `orders.amount` only in parts.
 */
function tablesWith(terms: readonly string[], { environmentId, scope }: Search): Prisma.Sql {
  const parts = new Set(terms.flatMap((term) => term.split('.')).filter((part) => part !== ''));
  const contains = [...parts].map((part) => {
    const pattern = `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    return Prisma.sql`AND s.text LIKE ${lowerSql(pattern)}`;
  });
  return Prisma.sql`
    SELECT n.path || '.' || t.name AS name, t.name AS own_name, t.description, t.columns
    FROM table_search_texts s JOIN tables t ON t.id = s.table_id JOIN namespaces n ON n.id = t.namespace_id
    WHERE s.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL AND n.dropped_at IS NULL
      ${contains.length === 0 ? Prisma.empty : Prisma.join(contains, ' ')} ${visibleTablesSql(scope.tables)}`;
}
