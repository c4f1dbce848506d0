import type { Client } from 'pg';
import { makeOrders } from '../../testing/orders.ts';
import { connectPostgres, errorOf, SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { codeOf, int, message, text, WireClient } from '../../testing/postgres-wire.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
let client: WireClient;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await makeOrders(s.client, 'dev');
  client = await WireClient.signedIn(s.sqlPort!);
});
afterAll(async () => {
  client.close();
  await s.stop();
});

/** The OIDs of a statement's parameters, or the code of its error. */
async function typesOf(sql: string): Promise<number[] | string | undefined> {
  client.send(message('P', text(''), text(sql), int(0, 2)), message('D', Buffer.from('S'), text('')), message('S'));
  const answers = await client.until('Z');
  const error = answers.find(({ type }) => type === 'E');
  if (error !== undefined) return codeOf(error);
  const { body } = answers.find(({ type }) => type === 't')!;
  return Array.from({ length: body.readInt16BE() }, (_, i) => body.readInt32BE(2 + 4 * i));
}

const [INT8, TEXT, NUMERIC, DATE, BOOL, INT4, INT8S, OIDS, INTERVAL] = [20, 25, 1700, 1082, 16, 23, 1016, 1028, 1186];

test.each<[string, number[] | string]>([
  [
    'INSERT INTO shop.orders VALUES ($1, $2, $3, $4), ($5, upper($6), NULL, NULL)',
    [INT8, TEXT, NUMERIC, DATE, INT8, TEXT],
  ],
  ['INSERT INTO shop.orders (day, "ID") VALUES ($2, $1::BIGINT + 1)', [INT8, DATE]],
  ['INSERT INTO shop.orders (id) SELECT id FROM shop.orders WHERE day > $1', [DATE]],
  ['UPDATE shop.orders SET amount = $1, buyer = buyer || $2 WHERE shop.orders.id = $3', [NUMERIC, TEXT, INT8]],
  [
    'UPDATE shop.orders o SET amount = $4 FROM shop.orders p WHERE p.id = o.id AND p.day = $1',
    [DATE, TEXT, TEXT, NUMERIC],
  ],
  ['DELETE FROM shop.orders WHERE id = ANY($1)', [INT8S]],
  ['DELETE FROM shop.orders WHERE nothing = $1', '42703'],
  ['INSERT INTO shop.nothing VALUES ($1)', '42P01'],
  ['SELECT now() + $1::INTERVAL', [INTERVAL]],
  ['SELECT id FROM shop.orders WHERE day > $1 LIMIT $2::INTEGER', [DATE, INT4]],
  ['SELECT id + $1, $2 * 2, -$3, day - $4::INTEGER FROM shop.orders', [NUMERIC, NUMERIC, NUMERIC, INT4]],
  [`SELECT '{}'::json -> $1, $2 ->> 'a'`, [TEXT, TEXT]],
  ['SELECT buyer ~* $1, buyer !~* $2, buyer ~~* $3 FROM shop.orders', [TEXT, TEXT, TEXT]],
  ['SELECT day::TIMESTAMP + $1, day - $2 FROM shop.orders WHERE id = $3', [TEXT, TEXT, INT8]],
  [
    `MERGE INTO shop.orders t USING (SELECT 1 AS id) s ON t.id = s.id AND t.day > $1 WHEN MATCHED AND t.id = $2 THEN
      UPDATE SET amount = $3 WHEN NOT MATCHED THEN INSERT (id, buyer) VALUES ($4, upper($5))`,
    [DATE, INT8, NUMERIC, INT8, TEXT],
  ],
  [
    `MERGE INTO shop.orders t USING (VALUES ($1, $2)) s(id, buyer) ON t.id = s.id WHEN MATCHED THEN UPDATE SET day = $3`,
    [TEXT, TEXT, DATE],
  ],
  ['SELECT quote_literal($1::"pg_catalog"."int4"::text)', [INT4]],
  ['SELECT pg_get_indexdef(1, 0, $1::BOOLEAN), $2::INTEGER FROM pg_class WHERE oid = ANY($3)', [BOOL, INT4, OIDS]],
])('%s has parameters of the types that it needs (POSTGRES-5)', async (sql, expected) => {
  expect(await typesOf(sql)).toEqual(expected);
});

// node-postgres sends numbers and times as texts without a type.
describe('values without a type', () => {
  let pg: Client;
  beforeAll(async () => {
    pg = await connectPostgres(s);
  });
  afterAll(() => pg.end());

  const rowsOf = async (sql: string, ...values: unknown[]) =>
    (await pg.query({ text: sql, values, rowMode: 'array' })).rows;

  test.each([
    'SELECT id FROM shop.orders WHERE id = $1',
    'SELECT id FROM shop.orders WHERE id IN (1, $1)',
    'SELECT coalesce($1, 2)',
    'SELECT id FROM shop.orders LIMIT $1',
    'INSERT INTO shop.orders (id) VALUES ($1)',
    'UPDATE shop.orders SET buyer = NULL WHERE id = $1',
    'DELETE FROM shop.orders WHERE id = $1',
    'MERGE INTO shop.orders o USING (SELECT 1) s ON o.id > 0 WHEN MATCHED AND o.id = $1 THEN DELETE',
  ])('%s rejects a fraction instead of rounding it (POSTGRES-6)', async (sql) => {
    const before = await rowsOf('SELECT * FROM shop.orders ORDER BY id');
    for (const fraction of [1.6, '0.9', '1e-1']) {
      expect(await errorOf(rowsOf(sql, fraction))).toMatchObject({
        code: '22P02',
        message: expect.stringContaining('invalid input syntax'),
      });
    }
    expect(await rowsOf('SELECT * FROM shop.orders ORDER BY id')).toEqual(before);
  });

  test('a fraction is compared with a decimal exactly (POSTGRES-6)', async () => {
    await rowsOf('INSERT INTO shop.orders (id, amount) VALUES (70, 10.50)');
    const found = (amount: unknown) => rowsOf('SELECT id FROM shop.orders WHERE id = 70 AND amount = $1', amount);
    expect([await found(10.5), await found('10.500'), await found(10.504), await found(10.496)]).toEqual([
      [['70']],
      [['70']],
      [],
      [],
    ]);
    await rowsOf('DELETE FROM shop.orders WHERE id = 70');
  });

  test.each<[string, unknown[], unknown[]]>([
    ['SELECT $1 + 1, 5 - $2, -$3', [5, '7', 1], [6, -2, -1]],
    ['SELECT $1 * 2, 10 / $2', [1.25, 4], ['2.50', 2.5]],
    ['SELECT 9007199254740993 + $1', ['9007199254740993'], ['18014398509481986']],
    ["SELECT CAST(DATE '2026-03-01' + $1 AS VARCHAR)", [5], ['2026-03-06']],
    ["SELECT CAST(TIMESTAMP '2026-03-01' - $1::INTERVAL AS VARCHAR)", ['1 day'], ['2026-02-28 00:00:00']],
    [`SELECT '{"a": 1}'::json ->> $1, $2 ->> 'a'`, ['a', '{"a": 2}'], ['1', '2']],
    ['SELECT $1, length($2)', ['1.50', '2.500'], ['1.50', '5']],
    ["SELECT 'a1' ~* $1, 'a1' !~* $1, 'A1' ~~* $2", ['1', '5'], [true, false, false]],
    ['SELECT * FROM (VALUES ($1, 1)) t(a, b)', ['1.5'], ['1.5', 1]],
    [
      'SELECT 1.5::DOUBLE * $1, 1::DOUBLE * $2, 1::DOUBLE / $3',
      [1e300, Number.NaN, Infinity],
      [1.5e300, Number.NaN, 0],
    ],
    ["SELECT TIMESTAMPTZ '2026-03-01 10:00:00+00' = $1", ['2026-03-01 12:00:00.000000000 +02:00'], [true]],
  ])('%s has the values of PostgreSQL (POSTGRES-6)', async (sql, values, expected) => {
    expect(await rowsOf(sql, ...values)).toEqual([expected]);
  });

  test('a prepared statement accepts them each time (POSTGRES-6)', async () => {
    const run = async (value: unknown) =>
      (await pg.query({ name: 'add', text: 'SELECT 1 + $1 AS x', values: [value], rowMode: 'array' })).rows;
    expect([await run(1), await run(1.5), await run(null)]).toEqual([[[2]], [['2.5']], [[null]]]);
  });
});

// As JDBC's `setString` and Npgsql declare them, which PostgreSQL doesn't compare with numbers at all.
describe('values that are declared as texts', () => {
  /** The rows as JSON texts, or the code of the error. */
  async function ran(
    sql: string,
    values: readonly string[],
    { declared, format }: { declared: number; format: 0 | 1 },
  ) {
    const sent = values.flatMap((value) => [int(Buffer.byteLength(value), 4), Buffer.from(value)]);
    const types = values.map(() => int(declared, 4));
    client.send(
      message('P', text(''), text(sql), int(values.length, 2), ...types),
      message('B', text(''), text(''), int(1, 2), int(format, 2), int(values.length, 2), ...sent, int(0, 2)),
      message('E', text(''), int(0, 4)),
      message('S'),
    );
    const answers = await client.until('Z');
    const error = answers.find(({ type }) => type === 'E');
    if (error !== undefined) return codeOf(error);
    return answers.filter(({ type }) => type === 'D').map(({ body }) => body.subarray(6).toString());
  }

  test.each([
    [25, 0],
    [25, 1],
    [1043, 0],
  ] as const)('as %s in format %s are texts, and no fraction is rounded (POSTGRES-6)', async (declared, format) => {
    const run = (sql: string, ...values: string[]) => ran(sql, values, { declared, format });
    const one = 'SELECT count(*) FROM (SELECT 7 AS id) t WHERE id = $1';
    expect([await run(one, '7'), await run(one, '6.6'), await run(one, '7e0')]).toEqual([['1'], '22P02', '22P02']);
    expect(await run('DELETE FROM shop.orders WHERE id = $1', '0.9')).toBe('22P02');
    expect(await run('SELECT $1', '6.60')).toEqual(['6.60']);
    expect(await run("SELECT $1 || 'x'", '{"a": 1.5}')).toEqual(['{"a": 1.5}x']);
    expect(await run('SELECT CAST($1 AS DOUBLE) + $2', '1.5', '2.5')).toEqual(['4']);
    expect(await run("SELECT 1.25::DECIMAL(4,2) = $1 AND 'v' = $2", '1.254', 'v')).toEqual(['f']);
  });
});

// As drivers write numbers that substitute parameters themselves.
describe('quoted fractions', () => {
  test.each([
    "SELECT id FROM shop.orders WHERE id = '1.6'",
    "SELECT id FROM shop.orders WHERE id IN (1, '1.6')",
    "SELECT id FROM shop.orders WHERE id BETWEEN '0.6' AND '1e-1'",
    "SELECT coalesce(id, '1.6') FROM shop.orders",
    "INSERT INTO shop.orders (id) VALUES ('7.5')",
    "UPDATE shop.orders SET id = '7.5' WHERE id = 1",
    "DELETE FROM shop.orders WHERE id = '0.9'",
    "CREATE TABLE shop.copied AS SELECT id FROM shop.orders WHERE id = '1.6'",
    "COPY (SELECT id FROM shop.orders WHERE id = '1.6') TO STDOUT",
  ])('%s rejects a fraction instead of rounding it (POSTGRES-6)', async (sql) => {
    const error = await withPostgres(s, (pg) => errorOf(pg.query(sql)));
    expect(error).toMatchObject({ code: '22P02', message: expect.stringContaining('invalid input syntax for type') });
  });

  test.each<[string, unknown[][]]>([
    [
      "SELECT 10.50::DECIMAL(10,2) = '10.50', 10.50::DECIMAL(10,2) = '10.504', 10.50::DECIMAL(10,2) < '10.501'",
      [[true, false, true]],
    ],
    ["SELECT 'v1.5' = '1.5', '1.50' = '1.5', 1.5::DOUBLE = '1.5', 2 = '2'", [[false, false, true, true]]],
    ["SELECT DOUBLE '1.5' > 1, '1.5'::text, INTERVAL '1.5' SECOND > INTERVAL '1' SECOND", [[true, '1.5', true]]],
    ["SELECT '{\"1.5\": 2}'::json ->> '1.5', length('1.25'), 'x' || '1.5'", [['2', '4', 'x1.5']]],
    ["SELECT id FROM shop.orders WHERE buyer = '1.5' OR id = '-1'", []],
    ["SELECT * FROM (VALUES ('1.5', 1)) v(a, b)", [['1.5', 1]]],
  ])('%s has the values of PostgreSQL (POSTGRES-6)', async (sql, rows) => {
    const found = await withPostgres(s, (pg) => pg.query({ text: sql, rowMode: 'array' }));
    expect(found.rows).toEqual(rows);
  });

  test.each([
    "SELECT '1.6'::int",
    "SELECT '1.6' :: pg_catalog.int8",
    "SELECT bigint '1.6'",
    "SELECT '{1,1.6}'::int[]",
    "DELETE FROM shop.orders WHERE id = '1.6'::integer",
    "SELECT to_char(amount, '0.00') FROM shop.orders WHERE id = '1.6'",
    "SELECT id FROM shop.orders WHERE id = '1.6' AND json_extract_path(buyer, '1.5', 'b') IS NULL AND to_char(1, '9.9') = '1.0'",
  ])('%s fails for its fraction (POSTGRES-6)', async (sql) => {
    expect(await withPostgres(s, (pg) => errorOf(pg.query(sql)))).toMatchObject({ code: '22P02' });
  });

  test('a change in which too many of them are formats is refused, because a fraction could be among them (POSTGRES-6)', async () => {
    const formats = Array(60).fill("to_char(amount, '0.00') = 'x'").join(' OR ');
    const change = `DELETE FROM shop.orders WHERE ${formats} OR id = '1.6'`;
    const error = await withPostgres(s, (pg) => errorOf(pg.query(change)));
    expect(error).toMatchObject({ code: '0A000', message: expect.stringContaining('too many quoted values') });
  });

  test('in a statement of 130,000 words they are found (POSTGRES-6)', async () => {
    const list = Array(65_000).fill(1).join(',');
    const sql = `SELECT id FROM shop.orders WHERE id = '1.5' AND id IN (${list})`;
    expect(await withPostgres(s, (pg) => errorOf(pg.query(sql)))).toMatchObject({ code: '22P02' });
  });

  test('beside parameters they keep their places (POSTGRES-6)', async () => {
    await withPostgres(s, async (pg) => {
      const sql = "SELECT $1::INTEGER + 1, $2 || '1.5' WHERE 1.5::DECIMAL(4,2) = '1.500' AND $1::INTEGER < '3'";
      expect((await pg.query({ text: sql, values: [1, 'a'], rowMode: 'array' })).rows).toEqual([[2, 'a1.5']]);
      const wrong = "SELECT id FROM shop.orders WHERE id = $1 AND id = '1.5'";
      expect(await errorOf(pg.query(wrong, [1]))).toMatchObject({ code: '22P02' });
    });
  });
});

describe('bytes and arrays of an unknown type', () => {
  beforeAll(async () => {
    const columns = [
      { name: 'id', type: 'int' },
      { name: 'bytes', type: 'binary' },
      { name: 'text', type: 'string' },
      { name: 'numbers', type: 'list<int>' },
      { name: 'words', type: 'list<string>' },
    ];
    await s.client.tables.create('dev', 'shop.blobs', { kind: 'managed', columns });
  });

  /** The rows of a table that these statements have filled. */
  async function rowsAfter(...statements: (string | { text: string; values: unknown[] })[]): Promise<unknown[][]> {
    return withPostgres(s, async (pg) => {
      await pg.query('TRUNCATE shop.blobs');
      for (const statement of statements) await pg.query(statement);
      const sql = "SELECT id, encode(bytes, 'hex'), text, numbers, words FROM shop.blobs ORDER BY id";
      return (await pg.query({ text: sql, rowMode: 'array' })).rows;
    });
  }

  test('columns get what they mean in PostgreSQL (POSTGRES-6)', async () => {
    const [hex, braces] = [String.raw`'\x00ff'`, String.raw`'{"a,b","c\"d",NULL}'`];
    expect(
      await rowsAfter(
        `INSERT INTO shop.blobs VALUES (1, ${hex}, ${hex}, '{1,NULL,3}', ${braces}), (2, '\\x', '{1,2}', '{}', NULL)`,
        String.raw`INSERT INTO shop.blobs (bytes, id, text) VALUES (E'\\x00FF', 3, E'\\x00FF')`,
        `INSERT INTO shop.blobs (id, text) VALUES (4, '{"a": 1}')`,
        `UPDATE shop.blobs SET bytes = '\\xff', text = '\\xff' WHERE id = 4`,
      ),
    ).toEqual([
      [1, '00ff', String.raw`\x00ff`, [1, null, 3], ['a,b', 'c"d', null]],
      [2, '', '{1,2}', [], null],
      [3, '00ff', String.raw`\x00FF`, null, null],
      [4, 'ff', String.raw`\xff`, null, null],
    ]);
  });

  test('more of them than are described at once are read as well (POSTGRES-6)', async () => {
    const rows = Array.from({ length: 150 }, (_, i) => `(${i}, '\\x00ff', '1.5')`);
    const found = await rowsAfter(`INSERT INTO shop.blobs (id, bytes, text) VALUES ${rows.join(', ')}`);
    expect([found.length, new Set(found.map((row) => `${row[1]} ${row[2]}`))]).toEqual([150, new Set(['00ff 1.5'])]);
  });

  test('they are compared as in PostgreSQL (POSTGRES-6)', async () => {
    const long = 'ab'.repeat(2000);
    await rowsAfter(
      String.raw`INSERT INTO shop.blobs (id, bytes, text) VALUES (1, '\x00ff', '\x00ff'), (2, '\x${long}', 'x')`,
    );
    await withPostgres(s, async (pg) => {
      const ids = async (condition: string, values: unknown[] = []) =>
        (
          await pg.query({ text: `SELECT id FROM shop.blobs WHERE ${condition}`, values, rowMode: 'array' })
        ).rows.flat();
      expect(await ids(String.raw`bytes = '\x00ff'`)).toEqual([1]);
      expect(await ids(String.raw`text = '\x00ff'`)).toEqual([1]);
      expect(await ids('bytes = $1', [String.raw`\x00ff`])).toEqual([1]);
      expect(await ids('text = $1', [String.raw`\x00ff`])).toEqual([1]);
      expect(await ids('bytes = $1', [String.raw`\x${long}`])).toEqual([2]);
      expect(await ids('bytes = $1 AND id = $2', [Buffer.from('00ff', 'hex'), 1])).toEqual([1]);
    });
  });
});

test('columns of the catalog that are vectors have the type that drivers expect (POSTGRES-8)', async () => {
  const { fields, rows } = await withPostgres(s, (pg) =>
    pg.query({ text: 'SELECT indkey, indoption, indclass FROM pg_index', rowMode: 'array' }),
  );
  expect(fields.map(({ dataTypeID }) => dataTypeID)).toEqual([22, 22, 30]);
  expect(rows).toEqual([]);
});
