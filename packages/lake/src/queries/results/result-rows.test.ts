import { Readable } from 'node:stream';
import { joinLocation } from '@svc/iceberg';
import { ResultReader } from '../index.ts';
import { QueryFixture } from '../testing/query-fixture.ts';

let f: QueryFixture;
let reader: ResultReader;
beforeAll(async () => {
  f = await QueryFixture.create();
  reader = new ResultReader(f.store);
});
afterAll(async () => {
  await reader.close();
  await f.close();
});

let n = 0;
async function run(sql: string) {
  const location = joinLocation(f.store.root, 'results', `${n++}.parquet`);
  const outcome = await f.query(sql, { output: { kind: 'result', location } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { ...outcome, location };
}

const SCALARS = `SELECT * FROM (VALUES
  (true, 1::TINYINT, 9007199254740993, 0.1::FLOAT, 1e300, '=a,"' || chr(10) || 'ü𝄞', 99999999999999999999.5::DECIMAL(38,1),
   DATE '0001-01-01', TIME '23:59:59.999999', TIMESTAMP '2020-02-29 00:00:00.000001', TIMESTAMPTZ '9999-12-31 23:59:59Z',
   UUID '00000000-0000-4000-8000-000000000001', '\\xFF\\x00'::BLOB, 340282366920938463463374607431768211455 % 10, INTERVAL 1 DAY),
  (false, -128, -9223372036854775808, 'nan'::FLOAT, '-inf'::DOUBLE, '', -0.5, DATE '9999-12-31', TIME '00:00:00',
   TIMESTAMP '0001-01-01 00:00:00', TIMESTAMPTZ '1969-12-31 23:59:59.5Z', NULL, ''::BLOB, 0, NULL),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
  ) v(b, i, l, f, d, s, dec, da, t, ts, tz, u, bin, h, iv)`;

test.each([true, false])('CSV and Parquet of few rows are those of a file with them, raw: %s', async (raw) => {
  const shown = await run(`${SCALARS} LIMIT 10`);
  const more = `UNION ALL SELECT ${'NULL, '.repeat(14)}NULL FROM range(1000)`;
  const stored = await run(`SELECT * FROM (${SCALARS}) ${more}`);
  expect([shown.stored, stored.stored, shown.rowCount]).toEqual([false, true, 3]);
  expect(shown.columns).toEqual(stored.columns);
  const csv = (await Readable.from(reader.csv(stored.location, { raw })).toArray()).join('');
  expect(csv.startsWith(reader.csvOfRows(shown.columns, shown.rows!, { raw }))).toBe(true);
  // As the record stores them.
  const serialized = JSON.parse(JSON.stringify(shown.rows));
  const again = joinLocation(f.store.root, 'results', `again-${raw}.parquet`);
  await f.store.write(again, await reader.parquetOfRows(shown.columns, serialized));
  const page = (location: string) => reader.page(location, { offset: 0, limit: 3 });
  const expected = await page(stored.location);
  expect(expected.rows).toEqual(shown.rows);
  expect(await page(again)).toEqual({ ...expected, total: 3 });
});

test.each([
  ['more rows than are inline', 'SELECT i FROM range(2000) t(i) LIMIT 1500'],
  ['more rows than are inline, without a limit', 'SELECT i FROM range(2000) t(i)'],
  ['too much text', "SELECT repeat('x', 600000) AS a FROM range(3) LIMIT 3"],
  ['a nested value', 'SELECT [1] AS a LIMIT 1'],
  ['a negative zero', "SELECT '-0'::DOUBLE AS a LIMIT 1"],
  ['a text with NUL', "SELECT 'a' || chr(0) AS a LIMIT 1"],
  ['a time outside of ISO 8601', "SELECT TIMESTAMP '0044-03-15 (BC) 12:00:00' AS a LIMIT 1"],
  ['a day outside of ISO 8601', "SELECT DATE 'infinity' AS a LIMIT 1"],
])('a file is written for %s', async (_, sql) => {
  expect((await run(sql)).stored).toBe(true);
});

test('QUERY-6: a time outside of ISO 8601 is exact', async () => {
  const sql = "SELECT TIMESTAMP '0044-03-15 (BC) 12:00:00.5' AS a, TIMESTAMPTZ '12000-01-02 03:04:05Z' AS b LIMIT 1";
  expect((await run(sql)).rows).toEqual([['0044-03-15 (BC) 12:00:00.5', '12000-01-02 03:04:05Z']]);
});

test('QUERY-6: infinite days are texts', async () => {
  const { rows, location } = await run("SELECT DATE 'infinity' AS a, [DATE '-infinity'] AS b");
  expect(rows).toEqual([['infinity', ['-infinity']]]);
  expect((await reader.page(location, { offset: 0, limit: 1 })).rows).toEqual(rows);
});

test.each([
  ['few rows without a limit', 'SELECT 1 AS a', 1],
  ['few rows with a computed limit', 'SELECT 1 AS a LIMIT 1 + 1', 1],
  ['an aggregate', 'SELECT count(*) AS n, max(i) AS m FROM range(5000) t(i)', 1],
  ['a limit', 'SELECT i FROM range(5000) t(i) ORDER BY i LIMIT 1000', 1000],
  ['no row', 'SELECT 1 AS a WHERE false LIMIT 5', 0],
  ['columns that are cast and renamed', 'SELECT sum(i) AS s, 1 AS s FROM range(3) t(i)', 1],
])('none is written for %s', async (_, sql, rows) => {
  const { stored, rowCount, rows: shown } = await run(sql);
  expect([stored, rowCount, shown!.length]).toEqual([false, rows, rows]);
});

test.each(["'a' || chr(0)", "['a' || chr(0)]", 'map {chr(0): 1}'])('%s is read from the file alone', async (value) => {
  const { stored, rows, location } = await run(`SELECT ${value} AS a`);
  expect([stored, rows]).toEqual([true, null]);
  const page = await reader.page(location, { offset: 0, limit: 1 });
  expect(JSON.stringify(page.rows)).toContain('\\u0000');
});

test('a text that spells NUL is returned', async () => {
  expect(await run("SELECT '\\u0000' AS a")).toMatchObject({ rows: [['\\u0000']] });
});

test('an error among the rows fails the query', async () => {
  const outcome = await f.query(
    "SELECT CAST(CASE WHEN i < 900 THEN '1' ELSE 'x' END AS INT) FROM range(1000) t(i) LIMIT 1000",
  );
  expect(outcome).toMatchObject({ ok: false, error: { code: 'execution-error' } });
});
