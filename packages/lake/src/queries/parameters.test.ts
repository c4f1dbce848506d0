import type { QueryParams } from '@svc/core/queries';
import { describeQuery, runQuery } from './index.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable(
    's.orders',
    [
      { name: 'id', type: 'long' },
      { name: 'country', type: 'string' },
    ],
    "SELECT i::BIGINT AS id, CASE WHEN i % 2 = 0 THEN 'DE' ELSE 'it''s' END AS country FROM range(10) t(i)",
  );
});
afterAll(() => f.close());

let results = 0;
const run = async (sql: string, params: QueryParams | null) => {
  const location = `${f.store.root}/results/params-${++results}.parquet`;
  const outcome = await runQuery(f.sandbox, {
    ...{ sql, params, resolve: f.resolve, owner: 'ann' },
    output: { kind: 'result', location },
  });
  if (!outcome.ok) return `${outcome.error.code}: ${outcome.error.message}`;
  return { columns: outcome.columns.map(({ name, type }) => `${name} ${type}`), rows: outcome.rows };
};
const rows = async (sql: string, params: QueryParams | null) => {
  const result = await run(sql, params);
  return typeof result === 'string' ? result : result.rows;
};

test.each<[string, QueryParams, unknown]>([
  ['SELECT count(*) FROM s.orders WHERE country = ?', ['DE'], [[5]]],
  ['SELECT count(*) FROM s.orders WHERE country = $c', { c: "it's" }, [[5]]],
  ['SELECT count(*) FROM s.orders WHERE id BETWEEN $2 AND $1', [7, 3], [[5]]],
  ['SELECT id FROM s.orders WHERE id = $A OR id = $a', { a: 4 }, [[4]]],
  ['SELECT id FROM s.orders ORDER BY id LIMIT $n OFFSET $o', { n: 2, o: 3 }, [[3], [4]]],
  ['WITH x AS (SELECT $v AS v) SELECT v FROM x UNION ALL SELECT (SELECT $v)', { v: 'y' }, [['y'], ['y']]],
  ['SELECT count(*) FROM s.orders WHERE id IN ($1, $2) AND $3', [1, 2, true], [[2]]],
  [
    "SELECT $raw, octet_length($raw), $raw = '\\x00\\x5C\\xFFa'::BLOB, octet_length($none)",
    { raw: { type: 'binary', value: 'AFz/YQ==' }, none: { type: 'binary', value: '' } },
    [['AFz/YQ==', 4, true, 0]],
  ],
  [
    'SELECT $whole, isnan($nan), $whole * 2000000000',
    { whole: { type: 'double', value: '3.0' }, nan: { type: 'double', value: 'nan' } },
    [[3, true, 6_000_000_000]],
  ],
])('%s with %j (QUERY-12)', async (sql, params, expected) => {
  expect(await rows(sql, params)).toEqual(expected);
});

test('values have the type of their JSON, or the given one (QUERY-12)', async () => {
  const sql = 'SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11';
  const decimal = { type: 'decimal(38,2)', value: '123456789012345678901234567890.50' };
  const date = { type: 'date', value: '2026-03-01' };
  const zoned = { type: 'timestamptz', value: '2026-03-01T08:00:00+01:00' };
  const none = { type: 'long', value: null };
  const uuid = { type: 'uuid', value: '01997c2e-7b7a-7c1e-8000-000000000001' };
  const params = ['a', 5, 3_000_000_000, -1.5, true, null, decimal, date, zoned, none, uuid];
  expect(await run(sql, params)).toEqual({
    columns: [
      ...['$1 string', '$2 int', '$3 long', '$4 double', '$5 boolean', '$6 int', '$7 decimal(38,2)', '$8 date'],
      ...['$9 timestamptz', '$10 long', '$11 uuid'],
    ],
    rows: [
      [
        ...['a', 5, 3_000_000_000, -1.5, true, null, '123456789012345678901234567890.50', '2026-03-01'],
        ...['2026-03-01T07:00:00Z', null, '01997c2e-7b7a-7c1e-8000-000000000001'],
      ],
    ],
  });
});

test.each<[QueryParams]>([
  [['a', 5, -5, 3_000_000_000, -1.5, 1e300, true, false, null]],
  [
    [
      'decimal(38,2)',
      'date',
      'time',
      'timestamp',
      'timestamptz',
      'uuid',
      'float',
      'double',
      'boolean',
      'string',
      'binary',
    ].map((type) => ({ type, value: null })),
  ],
  [['int', 'long', 'decimal(10,2)', 'double'].map((type) => ({ type, value: '7' }))],
])('with the values %j, the engine runs the statement as text', async (params) => {
  const list = (params as unknown[]).map((_, i) => `$${i + 1}`).join(', ');
  const read = await f.sandbox.withChild(
    (child) => f.sandbox.syntax.statement(child, `SELECT ${list} FROM s.orders WHERE id = $1`, { params }),
    'ann',
  );
  if (!read.ok) throw new Error(read.message);
  expect(read.sql).toMatch(/^SELECT .* FROM lake\.s\.orders WHERE /);
});

test.each([
  "x' OR '1'='1",
  "'; DROP TABLE s.orders; --",
  '$1',
  '\\',
  '"',
  'ünï\u0000'.replace('\u0000', '\u2028'),
  '/* */ -- x',
  '}{"class":"FUNCTION"',
])('the value %j stays a value', async (value) => {
  expect(await rows('SELECT count(*) FROM s.orders WHERE country = $v', { v: value })).toEqual([[0]]);
  expect(await rows('SELECT ? = $x'.replace('$x', '?'), [value, value])).toEqual([[true]]);
});

test('every parameter needs a value, and every value a parameter (QUERY-12)', async () => {
  const sql = 'SELECT id FROM s.orders WHERE id = $id';
  expect(await run(sql, {})).toBe('wrong-parameters: The query has the parameter $id, but params has no value for it.');
  expect(await run(sql, { id: 1, day: 2 })).toBe(
    'wrong-parameters: params has a value for $day, but the query has no such parameter.',
  );
  expect(await run(sql, { id: 1, ID: 2 })).toBe(
    'wrong-parameters: params contains a name twice, ignoring letter case.',
  );
  expect(await run('SELECT ?, ?', [1])).toBe(
    'wrong-parameters: The query has the parameter number 2, but params has no value for it.',
  );
  expect(await run('SELECT ?', [1, 2])).toBe(
    'wrong-parameters: params has a value for number 2, but the query has no such parameter.',
  );
  expect(await run(sql, null)).toBe(
    "not-supported: The statement has parameters, but no values for them. In a query, set params, or add -p NAME=VALUE to svc sql. Assets, checks and views can't have parameters.",
  );
  expect(await run('SELECT 1 +', [1])).toMatch(/^parse-error: /);
  expect(await run('SELECT count(*) FROM s.orders WHERE id = $id', { id: { type: 'long', value: 'x' } })).toMatch(
    /^execution-error: /,
  );
});

test('an error of the engine reads the same for a value as for a literal', async () => {
  const literal = await run("SELECT * FROM s.orders WHERE id = 'x'", null);
  expect(literal).toContain("Could not convert string 'x'");
  expect(await run('SELECT * FROM s.orders WHERE id = $id', { id: 'x' })).toBe(literal);
});

test('a parameter does not bypass the rules for statements', async () => {
  expect(await run('SELECT * FROM read_csv($f)', { f: '/etc/passwd' })).toMatch(/^function-not-allowed: /);
  expect(await run('SELECT * FROM $t', { t: 's.orders' })).toMatch(/^parse-error: /);
});

test('results are cached by the values', async () => {
  const sql = 'SELECT count(*) FROM s.orders WHERE id < $n';
  expect([await rows(sql, { n: 3 }), await rows(sql, { n: 4 }), await rows(sql, { n: 3 })]).toEqual([
    [[3]],
    [[4]],
    [[3]],
  ]);
});

test('a described statement needs no values, and the engine infers the types of its parameters (POSTGRES-5)', async () => {
  const describe = async (sql: string) => {
    const outcome = await describeQuery(f.sandbox, { sql, params: 'unbound', resolve: f.resolve, owner: 'ann' });
    if (!outcome.ok) return `${outcome.error.code}: ${outcome.error.message}`;
    return { columns: outcome.columns.map(({ name, type }) => `${name} ${type}`), types: outcome.parameterTypes };
  };
  expect(await describe('SELECT id, country FROM s.orders WHERE id = $1 AND country LIKE $2 LIMIT $3')).toEqual({
    columns: ['id long', 'country string'],
    types: ['BIGINT', 'VARCHAR', 'BIGINT'],
  });
  expect(await describe('SELECT count(*) AS n FROM s.orders WHERE $1 IS NULL OR id = ANY($2)')).toEqual({
    columns: ['n long'],
    types: ['VARCHAR', 'VARCHAR'],
  });
  expect(await describe('SELECT 1 AS a')).toEqual({ columns: ['a int'], types: [] });
  expect(await describe('SELECT nothing FROM s.orders')).toMatch(/nothing/);
});
