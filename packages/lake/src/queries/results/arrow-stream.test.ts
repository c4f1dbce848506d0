import { joinLocation } from '@svc/iceberg';
import { tableFromIPC } from 'apache-arrow';
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
async function arrowOf(sql: string) {
  const location = joinLocation(f.store.root, 'results', `${n++}.parquet`);
  const outcome = await f.query(sql, { output: { kind: 'result', location } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { columns, rows, stored } = outcome;
  const pieces: Uint8Array[] = [];
  for await (const piece of stored ? reader.arrow(location) : reader.arrowOfRows(columns, rows!)) pieces.push(piece);
  const table = tableFromIPC(Buffer.concat(pieces));
  return { table, pieces, stored, types: Object.fromEntries(table.schema.fields.map((x) => [x.name, String(x.type)])) };
}

const SCALARS = `SELECT true AS b, 1::TINYINT AS i, 9007199254740993 AS l, 0.5::FLOAT AS f, '-inf'::DOUBLE AS d, 'ü𝄞' AS s,
  99999999999999999999.5::DECIMAL(38,1) AS dec, 1.25::DECIMAL(9,2) AS small, DATE '0001-01-01' AS da, TIME '23:59:59.999999' AS t,
  TIMESTAMP '2020-02-29 00:00:00.000001' AS ts, TIMESTAMPTZ '2020-02-29 12:00:00Z' AS tz,
  UUID '00000000-0000-4000-8000-000000000001' AS u, '\\xFF\\x00'::BLOB AS bin`;
const TYPES = {
  ...{ b: 'Bool', i: 'Int32', l: 'Int64', f: 'Float32', d: 'Float64', s: 'Utf8' },
  ...{ dec: 'Decimal[38e+1]', small: 'Decimal[9e+2]', da: 'Date32<DAY>', t: 'Time64<MICROSECOND>' },
  ...{ ts: 'Timestamp<MICROSECOND>', tz: 'Timestamp<MICROSECOND, UTC>', u: 'FixedSizeBinary[16]', bin: 'Binary' },
};

test('QUERY-6: Arrow has the types and values of the result, whether it is inline or in a file', async () => {
  const inline = await arrowOf(`${SCALARS} LIMIT 1`);
  const stored = await arrowOf(
    `SELECT * FROM (${SCALARS}) UNION ALL SELECT ${'NULL, '.repeat(13)}NULL FROM range(2000)`,
  );
  expect([inline.stored, stored.stored]).toEqual([false, true]);
  expect(inline.types).toEqual(TYPES);
  expect(stored.types).toEqual(TYPES);
  expect([inline.table.numRows, stored.table.numRows]).toEqual([1, 2001]);
  for (const name of Object.keys(TYPES)) {
    const [a, b] = [inline, stored].map(({ table }) => table.getChild(name)!);
    expect([name, b!.get(0)]).toEqual([name, a!.get(0)]);
    expect([name, b!.get(1)]).toEqual([name, null]);
  }
  expect(inline.table.getChild('l')!.get(0)).toBe(9007199254740993n);
  expect(inline.table.getChild('s')!.get(0)).toBe('ü𝄞');
});

test('QUERY-6: nested values stay nested', async () => {
  const { table, types } = await arrowOf("SELECT [1, NULL] AS l, {'a': 1, 'b': ['x']} AS s, MAP {'k': 2} AS m LIMIT 1");
  expect(types).toEqual({ l: 'List<Int32>', s: 'Struct<{a:Int32, b:List<Utf8>}>', m: 'Map<{key:Utf8, value:Int32}>' });
  expect(JSON.parse(JSON.stringify(table.toArray()))).toEqual([{ l: [1, null], s: { a: 1, b: ['x'] }, m: { k: 2 } }]);
});

test('QUERY-6: a result without rows has its columns; a large one comes in batches', async () => {
  const empty = await arrowOf('SELECT 1 AS a WHERE false LIMIT 1');
  expect([empty.table.numRows, empty.types]).toEqual([0, { a: 'Int32' }]);
  const large = await arrowOf('SELECT i, i * 2 AS j FROM range(100000) t(i)');
  expect(large.pieces.length).toBeGreaterThan(6);
  expect(large.table.numRows).toBe(100_000);
  expect(large.table.getChild('j')!.get(99_999)).toBe(199_998n);
});

test('a reader that stops early closes the file', async () => {
  const location = joinLocation(f.store.root, 'results', 'early.parquet');
  await f.query('SELECT i FROM range(100000) t(i)', { output: { kind: 'result', location } });
  for await (const _ of reader.arrow(location)) break;
  let rows = 0;
  for await (const piece of reader.arrow(location)) rows += piece.length;
  expect(rows).toBeGreaterThan(800_000);
});
