import { describeQuery, type Resolve, type TableName } from '../queries/index.ts';
import { QueryFixture } from '../queries/testing/query-fixture.ts';
import { columnInputs, type NamedColumns } from './index.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

const column = (name: string, type: string) => ({ name, type });

const TABLES: Record<string, NamedColumns> = {
  's.t': {
    kind: 'table',
    columns: [
      column('a', 'int'),
      column('b', 'string'),
      column('d', 'double'),
      column('l', 'list<int>'),
      column('s', 'struct<x: int, y: int>'),
      column('odd\nname "x"', 'int'),
    ],
  },
  's.u': { kind: 'table', columns: [column('a', 'int'), column('z', 'int')] },
  's.v': { kind: 'view', sql: 'SELECT a AS k, z + 1 AS w FROM s.u' },
};

/** The columns that a statement returns. */
async function columnsOf(sql: string): Promise<string[]> {
  const resolve: Resolve = async (tables) =>
    tables.map(({ name }) => {
      const table = TABLES[name.join('.').toLowerCase()];
      return table?.kind === 'table'
        ? { ...table, kind: 'external', format: 'parquet', locations: [] }
        : (table ?? null);
    });
  const described = await describeQuery(f.sandbox, { sql, resolve, owner: 'ann' });
  return described.ok ? described.columns.map(({ name }) => name) : [];
}

/** The columns of a statement with those they are computed from, such as `x: t.a t.b`; null if unknown. */
async function inputsOf(sql: string, outputs?: string[]): Promise<string[] | null> {
  const resolve = (name: TableName) => TABLES[name.join('.').toLowerCase()] ?? null;
  const found = await columnInputs(f.sandbox, {
    sql,
    resolve,
    owner: 'ann',
    outputs: outputs ?? (await columnsOf(sql)),
  });
  if (found === null) return null;
  const columns = new Map<string, string[]>();
  for (const { output, table, input } of found)
    columns.set(output, [...(columns.get(output) ?? []), `${table.at(-1)!.toLowerCase()}.${input}`]);
  return [...columns].map(([output, inputs]) => `${output}: ${inputs.sort().join(' ')}`);
}

test.each<[sql: string, inputs: string[]]>([
  ['SELECT a AS x, b FROM s.t', ['x: t.a', 'b: t.b']],
  ['SELECT b AS a, a AS b FROM S.T', ['a: t.b', 'b: t.a']],
  ['SELECT * EXCLUDE (l, s, d, "odd\nname ""x""") FROM s.t', ['a: t.a', 'b: t.b']],
  ['SELECT "odd\nname ""x""" AS o FROM s.t', ['o: t.odd\nname "x"']],
  ['SELECT a, a FROM s.t', ['a: t.a', 'a_1: t.a']],
  ['SELECT 1 AS x, a FROM s.t', ['a: t.a']],
  ['SELECT 1 AS x', []],
  ['SELECT count(*) AS n FROM s.t WHERE a > 1', []],
  ['SELECT x FROM range(3) r(x)', []],
  // Columns that only choose, join, group or order rows don't count.
  ['SELECT b FROM s.t WHERE a > 1 ORDER BY d LIMIT 3', ['b: t.b']],
  ['SELECT t.b, u.z FROM s.t t JOIN s.u u ON t.a = u.a AND t.d > 3', ['b: t.b', 'z: u.z']],
  ['SELECT t.b, u.z FROM s.t t LEFT JOIN s.u u ON t.a < u.a', ['b: t.b', 'z: u.z']],
  ['SELECT a, z FROM s.t FULL JOIN s.u USING (a)', ['a: t.a u.a', 'z: u.z']],
  ['SELECT b FROM s.t WHERE a IN (SELECT a FROM s.u)', ['b: t.b']],
  ['SELECT b FROM s.t WHERE EXISTS (SELECT 1 FROM s.u u WHERE u.a = t.a)', ['b: t.b']],
  ['SELECT b, sum(d) AS total FROM s.t GROUP BY b HAVING max(a) > 1', ['b: t.b', 'total: t.d']],
  ['SELECT DISTINCT ON (a) b FROM s.t ORDER BY a, d', ['b: t.b']],
  // Everything that an expression names counts.
  ['SELECT sum(d) FILTER (a > 1) AS x FROM s.t', ['x: t.a t.d']],
  ["SELECT string_agg(b, ',' ORDER BY d) AS x FROM s.t", ['x: t.b t.d']],
  ['SELECT row_number() OVER (PARTITION BY a ORDER BY d) AS n FROM s.t', ['n: t.a t.d']],
  ['SELECT b FROM s.t QUALIFY row_number() OVER (ORDER BY d) = 1', ['b: t.b']],
  ['SELECT lag(d, 1, a) OVER (ORDER BY b) AS x FROM s.t', ['x: t.a t.b t.d']],
  ['SELECT CASE WHEN a > 1 THEN b ELSE upper(b) END AS x FROM s.t', ['x: t.a t.b']],
  ['SELECT CASE WHEN false THEN a ELSE d END AS x FROM s.t', ['x: t.a t.d']],
  ['SELECT coalesce(b, d::VARCHAR) AS x, a BETWEEN 1 AND d AS y FROM s.t', ['x: t.b t.d', 'y: t.a t.d']],
  ['SELECT s.x AS x, l[1] AS y FROM s.t', ['x: t.s', 'y: t.l']],
  ['SELECT list_transform(l, x -> x + a) AS y FROM s.t', ['y: t.a t.l']],
  ['SELECT [x * 2 FOR x IN l IF x > d] AS y FROM s.t', ['y: t.d t.l']],
  ['SELECT unnest(l) AS e, a FROM s.t', ['e: t.l', 'a: t.a']],
  // Through subqueries, WITH clauses, set operations and views.
  ['SELECT x + 1 AS y FROM (SELECT a * d AS x FROM s.t)', ['y: t.a t.d']],
  ['WITH c AS (SELECT a, b FROM s.t) SELECT x.b, y.a FROM c x JOIN c y ON x.a = y.a', ['b: t.b', 'a: t.a']],
  ['WITH c AS MATERIALIZED (SELECT d AS e FROM s.t), f AS (SELECT e AS g FROM c) SELECT g FROM f', ['g: t.d']],
  ['SELECT a FROM s.t UNION ALL SELECT z FROM s.u', ['a: t.a u.z']],
  ['SELECT a FROM s.t UNION BY NAME SELECT z FROM s.u', ['a: t.a', 'z: u.z']],
  ['SELECT a FROM s.t INTERSECT SELECT z FROM s.u', ['a: t.a u.z']],
  ['SELECT a FROM s.t EXCEPT SELECT z FROM s.u', ['a: t.a']],
  ['SELECT a, (SELECT max(z) FROM s.u) AS m FROM s.t', ['a: t.a', 'm: u.z']],
  ['SELECT b, (SELECT max(z) FROM s.u u WHERE u.a = t.a) AS m FROM s.t t', ['b: t.b', 'm: u.z']],
  ['SELECT b, x FROM s.t t, LATERAL (SELECT t.a + 1 AS x)', ['b: t.b', 'x: t.a']],
  ['SELECT w, k FROM s.v', ['w: u.z', 'k: u.a']],
])('the columns of %s (LINEAGE-5)', async (sql, inputs) => {
  expect(await inputsOf(sql)).toEqual(inputs);
});

test.each([
  'SELECT EXISTS (SELECT 1 FROM s.u u WHERE u.a = t.a) AS x FROM s.t t',
  'SELECT a IN (SELECT a FROM s.u) AS x FROM s.t',
  'SELECT grouping(a) AS g FROM s.t GROUP BY ROLLUP (a)',
  'WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT n FROM c',
  'SELECT t.a FROM s.t t ASOF JOIN s.u u ON t.a >= u.a',
  'SELECT t.a FROM s.t t POSITIONAL JOIN s.u u',
  'SELECT b, e FROM s.t, UNNEST(l) r(e)',
  'SELECT x, a FROM s.t, (VALUES (1)) v(x)',
  'PIVOT s.t ON b USING sum(a)',
  'SELECT a FROM s.missing',
  'SELECT nope FROM s.t',
  'SELECT a FROM',
  'DROP TABLE s.t',
])('the columns of %s are unknown (LINEAGE-5)', async (sql) => {
  expect(await inputsOf(sql)).toBeNull();
});

test('columns that lead to other results than those of the statement are out of date (LINEAGE-5)', async () => {
  const sql = 'SELECT * FROM s.u';
  expect(await inputsOf(sql, ['a', 'z'])).toEqual(['a: u.a', 'z: u.z']);
  for (const outputs of [['a'], ['a', 'z', 'added'], ['a', 'renamed']]) expect(await inputsOf(sql, outputs)).toBeNull();
});
