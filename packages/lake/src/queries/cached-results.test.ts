import type { EngineChild } from './sandbox/child-process.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
/** The statements that an engine has run. */
let executed: string[] = [];

beforeAll(async () => {
  f = await QueryFixture.create({ resultCacheBytes: 1_000_000 });
  await f.addTable('s.t', [{ name: 'n', type: 'int' }], 'SELECT unnest([1, 2, 3]) AS n');
  const { take } = f.sandbox;
  const watched = new WeakSet<EngineChild>();
  f.sandbox.take = async (...args) => {
    const child = await take.apply(f.sandbox, args);
    if (watched.has(child)) return child;
    watched.add(child);
    const { send } = child;
    child.send = (request) => {
      if (request.op === 'result') executed.push((request as unknown as { sql: string }).sql);
      return send.call(child, request) as never;
    };
    return child;
  };
});
afterAll(() => f.close());
beforeEach(() => {
  executed = [];
});

const SUM = 'SELECT sum(n)::INT AS s FROM s.t';
const run = async (sql: string, more: Parameters<QueryFixture['query']>[1] = {}) => {
  const outcome = await f.query(sql, more);
  return outcome.ok ? { rows: outcome.rows, isCached: outcome.isCached } : outcome.error.code;
};

/** Sets the table for one test. */
async function withTable(relation: object, test: () => Promise<void>): Promise<void> {
  const stored = f.relations.get('s.t')!;
  f.relations.set('s.t', { ...stored, ...relation } as never);
  await test().finally(() => f.relations.set('s.t', stored));
}

test('the same query over the same data returns the cached result, and runs no engine', async () => {
  expect(await run(SUM)).toEqual({ rows: [[6]], isCached: false });
  expect(await run(SUM)).toEqual({ rows: [[6]], isCached: true });
  // Spacing and keywords in lower case don't change the statement.
  expect(await run('select  sum(n)::int\n as s from s.t')).toEqual({ rows: [[6]], isCached: true });
  expect(executed).toHaveLength(1);
});

test('a cached result has the columns, types and values of the first', async () => {
  const sql =
    "SELECT 1::HUGEINT AS h, 1.50::DECIMAL(5,2) AS d, NULL::INT AS x, 'a' AS s, TIMESTAMP '2026-01-01' AS t, 'NaN'::DOUBLE AS f FROM s.t LIMIT 2";
  const [first, second] = [await f.query(sql), await f.query(sql)];
  expect(second).toEqual({ ...first, isCached: true });
});

test('few rows are cached whether the statement limits them or not', async () => {
  const sql = 'SELECT n, count(*) AS c FROM s.t GROUP BY n';
  expect(await run(sql)).toMatchObject({ isCached: false });
  expect(await run(sql)).toMatchObject({ isCached: true });
});

test('another owner, and a query without an owner, run the query themselves', async () => {
  expect(await run(SUM, { owner: 'bob' })).toMatchObject({ isCached: false });
  await withTable({}, async () => {
    const location = `${f.store.root}/results/without-owner.parquet`;
    const { runQuery } = await import('./index.ts');
    const request = { sql: SUM, resolve: f.resolve, output: { kind: 'result' as const, location } };
    for (let i = 0; i < 2; i++) expect(await runQuery(f.sandbox, request)).toMatchObject({ isCached: false });
  });
});

test('another snapshot, row filter, column mask or former schema is another result', async () => {
  await run(SUM);
  const file = await f.addTable('s.later', [{ name: 'n', type: 'int' }], 'SELECT 40 AS n');
  await withTable({ files: [file] }, async () => expect(await run(SUM)).toEqual({ rows: [[40]], isCached: false }));
  const rowFilters = [{ predicate: 'n > 1' }];
  await withTable({ rowFilters }, async () => expect(await run(SUM)).toEqual({ rows: [[5]], isCached: false }));
  const masks = [{ column: 'n', expression: '0' }];
  await withTable({ masks }, async () => expect(await run(SUM)).toEqual({ rows: [[0]], isCached: false }));
  expect(await run(SUM)).toEqual({ rows: [[6]], isCached: true });
});

test('a revoked or dropped table has no cached result', async () => {
  await run(SUM);
  const stored = f.relations.get('s.t')!;
  f.relations.set('s.t', { kind: 'refused', code: 'not-allowed', message: 'no' } as never);
  expect(await run(SUM)).toBe('not-allowed');
  f.relations.delete('s.t');
  expect(await run(SUM)).toBe('table-not-found');
  f.relations.set('s.t', stored);
  expect(await run(SUM)).toMatchObject({ isCached: true });
});

test.each([
  'SELECT random() AS r FROM s.t',
  'SELECT now() AS r FROM s.t',
  'SELECT current_date AS r FROM s.t',
  'SELECT Gen_Random_UUID() AS r FROM s.t',
  "SELECT age(TIMESTAMP '2020-01-01') AS r FROM s.t",
  'SELECT n FROM s.t USING SAMPLE 2',
  'SELECT n FROM s.t TABLESAMPLE reservoir(50%)',
  'SELECT n FROM s.t WHERE n > (SELECT random())',
  'WITH r AS (SELECT uuid() AS u) SELECT u FROM r, s.t',
  "SELECT list_aggregate([1, 2], 'reservoir_quantile', 0.5) AS r FROM s.t",
])('a result that depends on time or chance is not cached: %s', async (sql) => {
  expect(await run(sql)).toMatchObject({ isCached: false });
  expect(await run(sql)).toMatchObject({ isCached: false });
});

test('nor is one over a view or policy that depends on time or chance', async () => {
  f.relations.set('s.v', { kind: 'view', sql: 'SELECT n, now() AS at FROM s.t' } as never);
  for (let i = 0; i < 2; i++) expect(await run('SELECT n FROM s.v LIMIT 3')).toMatchObject({ isCached: false });
  await withTable({ rowFilters: [{ predicate: "current_date > DATE '2020-01-01'" }] }, async () => {
    for (let i = 0; i < 2; i++) expect(await run(SUM)).toEqual({ rows: [[6]], isCached: false });
  });
  await withTable({ masks: [{ column: 'n', expression: '(random() * 10)::INT' }] }, async () => {
    for (let i = 0; i < 2; i++) expect(await run(SUM)).toMatchObject({ isCached: false });
  });
});

test('more than 1,000 rows are not cached', async () => {
  const sql = 'SELECT i FROM s.t, range(400) r(i)';
  for (let i = 0; i < 2; i++) expect(await f.query(sql)).toMatchObject({ rowCount: 1200, isCached: false });
});

test('a failed query is not cached', async () => {
  const sql = "SELECT error_of('x') FROM s.t";
  for (let i = 0; i < 2; i++) expect(await run(sql)).toBe('function-not-allowed');
  const fails = "SELECT ('x' || n)::INT AS i FROM s.t";
  for (let i = 0; i < 2; i++) expect(await run(fails)).toBe('execution-error');
  expect(executed).toHaveLength(2);
});

test('a query without the cache runs, and its result is not cached', async () => {
  const sql = 'SELECT max(n) AS m FROM s.t';
  for (let i = 0; i < 2; i++) expect(await run(sql, { cache: false })).toMatchObject({ isCached: false });
  expect(await run(sql)).toMatchObject({ isCached: false });
  expect(await run(sql)).toMatchObject({ isCached: true });
  expect(await run(sql, { cache: false })).toMatchObject({ isCached: false });
});

test('identical queries at the same time run once', async () => {
  const sql = 'SELECT min(n) AS m FROM s.t';
  const all = await Promise.all(Array.from({ length: 5 }, () => run(sql)));
  expect(all.filter((outcome) => typeof outcome !== 'string' && !outcome.isCached)).toHaveLength(1);
  for (const outcome of all) expect(outcome).toMatchObject({ rows: [[1]] });
  expect(executed).toHaveLength(1);
});
