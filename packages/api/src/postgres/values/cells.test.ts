import fc from 'fast-check';
import { type Format, type RowBatch, rowsOfArrow, rowsOfJson } from './rows.ts';
import { batches, Engine } from './testing/engine.ts';
import { cellsOf, Oracle } from './testing/oracle.ts';
import { pgTypeOf, pgTypeOfEngine } from './types.ts';

let oracle: Oracle;
let engine: Engine;
beforeAll(async () => {
  [oracle, engine] = await Promise.all([Oracle.open(), Engine.open()]);
});
afterAll(async () => {
  await engine.close();
  await oracle.close();
});

/** A value as PostgreSQL reads it, and in the JSON form of results. */
type Value = { readonly text: string | null; readonly json: unknown };
const value = (text: string, json: unknown = text): Value => ({ text, json });
const none: Value = { text: null, json: null };

/** Compares the cells of both sources with PostgreSQL's. */
async function compare(type: string, pgType: string, values: readonly Value[], withArrow = true): Promise<void> {
  const rows = values.map(({ json }) => [json]);
  const inline = [rowsOfJson([{ name: 'v', type }], rows)];
  const arrow = withArrow
    ? await batches([{ name: 'v', type }], engine.reader.arrowOfRows([{ name: 'v', type }], rows))
    : [];
  for (const format of [0, 1] as const) {
    const expected = await oracle.values(
      pgType,
      values.map(({ text }) => text),
      format,
    );
    expect(shown(inline, format)).toEqual(expected.map((cell) => show(cell, format)));
    if (withArrow) expect(shown(arrow, format)).toEqual(expected.map((cell) => show(cell, format)));
  }
}

const show = (cell: Buffer | null, format: Format) => cell?.toString(format === 0 ? 'utf8' : 'hex') ?? null;
const shown = (batches: readonly RowBatch[], format: Format) =>
  batches.flatMap((batch) => cellsOf(batch, [format]).map(([cell]) => show(cell!, format)));

const json = (n: number): unknown => (Number.isFinite(n) ? n : String(n));
const double = (n: number): Value => value(Object.is(n, -0) ? '-0' : String(n), json(n));
const long = (n: bigint): Value => value(String(n), Number.isSafeInteger(Number(n)) ? Number(n) : String(n));
const binary = (bytes: Uint8Array): Value =>
  value(String.raw`\x${Buffer.from(bytes).toString('hex')}`, Buffer.from(bytes).toString('base64'));

const floats = fc.float().map(double);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const longs = fc
  .oneof(
    int64,
    int64.map((n) => n >> 40n),
    int64.map((n) => n >> 10n),
  )
  .map(long);
const decimals = (precision: number, scale: number) =>
  fc
    .oneof(
      ...[precision, 12, 4].map((digits) =>
        fc.bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n }),
      ),
    )
    .map((n) => {
      const digits = String(n < 0n ? -n : n).padStart(scale + 1, '0');
      const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
      return value(`${n < 0n ? '-' : ''}${whole}${scale > 0 ? '.' : ''}${fraction}`);
    });
const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
const dates = days.map((day) => value(day.toISOString().slice(0, 10)));
const micros = fc.integer({ min: 0, max: 999 }).map((n) => (n % 3 === 0 ? '' : String(n).padStart(3, '0')));
const timestamps = fc.tuple(days, micros).map(([day, rest]) => value(`${day.toISOString().slice(0, -1)}${rest}`));
const zoned = timestamps.map(({ text }) => value(`${text}Z`));
const times = timestamps.map(({ text }) => value(text!.slice(11)));
const character = fc.oneof(
  fc.constantFrom(...'{},"\\\t\n\r\v\f \'NULnul;|'),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
);
const texts = fc
  .oneof(
    fc.array(character, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.constantFrom('NULL', 'null', '', ' ', '\\N', '\\.'),
  )
  .map((text) => value(text.replaceAll('\0', '')));
const uuids = fc.uuid().map((id) => value(id));
const binaries = fc.uint8Array({ maxLength: 40 }).map(binary);
const booleans = fc.boolean().map((b) => value(String(b), b));

const SCALARS: readonly (readonly [string, string, fc.Arbitrary<Value>])[] = [
  ['boolean', 'bool', booleans],
  ['int', 'int4', fc.integer().map(double)],
  ['long', 'int8', longs],
  ['float', 'float4', floats],
  [
    'double',
    'float8',
    fc
      .oneof(
        fc.double(),
        fc.integer().map((n) => n / 100),
        fc.float(),
      )
      .map(double),
  ],
  ['decimal(18,2)', 'numeric(18,2)', decimals(18, 2)],
  ['decimal(38,0)', 'numeric(38,0)', decimals(38, 0)],
  ['decimal(38,38)', 'numeric(38,38)', decimals(38, 38)],
  ['decimal(38,7)', 'numeric(38,7)', decimals(38, 7)],
  ['date', 'date', dates],
  ['time', 'time', times],
  ['timestamp', 'timestamp', timestamps],
  ['timestamptz', 'timestamptz', zoned],
  ['string', 'text', texts],
  ['uuid', 'uuid', uuids],
  ['binary', 'bytea', binaries],
];

const nullable = <T>(values: fc.Arbitrary<T>, nothing: T) =>
  fc.oneof({ weight: 6, arbitrary: values }, fc.constant(nothing));

test.each(SCALARS)('cells of %s are those of %s, in text and binary', async (type, pgType, values) => {
  await fc.assert(
    fc.asyncProperty(fc.array(nullable(values, none), { minLength: 1, maxLength: 300 }), (list) => {
      // -0 and texts with quotes are the same from both sources: JSON of -0 is 0, so it is tested without Arrow.
      return compare(type, pgType, list, !list.some(({ json }) => Object.is(json, -0)));
    }),
    { numRuns: 20 },
  );
});

/** A list as the engine's SQL writes it. */
function listSql(items: readonly Value[] | null, type: string): string {
  if (items === null) return 'NULL';
  const written = (text: string) => (type === 'binary' ? text.slice(2).replace(/../g, String.raw`\x$&`) : text);
  const list = items.map(({ text }) => (text === null ? 'NULL' : `'${written(text).replaceAll("'", "''")}'`));
  return `[${list.join(', ')}]`;
}

test.each(SCALARS)('arrays of %s are those of %s[]', async (type, pgType, values) => {
  const lists = nullable(fc.array(nullable(values, none), { maxLength: 12 }), null);
  await fc.assert(
    fc.asyncProperty(fc.array(lists, { minLength: 1, maxLength: 40 }), async (list) => {
      const quoted = (item: Value) => (item.text === null ? 'NULL' : `"${item.text.replace(/["\\]/g, '\\$&')}"`);
      const wanted = list.map((items) =>
        items === null
          ? none
          : value(
              `{${items.map(quoted).join(',')}}`,
              items.map((item) => item.json),
            ),
      );
      await compare(`list<${type}>`, `${pgType}[]`, wanted, false);
      // In a file, the engine has one dictionary entry for 0 and -0.
      const numbers = list.flatMap((items) => items ?? []).map(({ json }) => json);
      if (numbers.some((n) => Object.is(n, 0)) && numbers.some((n) => Object.is(n, -0))) return;
      const sql = list.map((items, i) => `SELECT CAST(${listSql(items, type)} AS ${type}[]) AS v, ${i} AS n`);
      const stored = await engine.stored(`SELECT v FROM (${sql.join(' UNION ALL ')}) ORDER BY n`);
      for (const format of [0, 1] as const) {
        const expected = await oracle.values(
          `${pgType}[]`,
          wanted.map(({ text }) => text),
          format,
        );
        expect(shown(stored, format).slice(0, list.length)).toEqual(expected.map((cell) => show(cell, format)));
      }
    }),
    { numRuns: 12 },
  );
});

test('edge values', async () => {
  const powers = Array.from({ length: 2098 }, (_, i) => 2 ** (i - 1074));
  await compare('double', 'float8', [...powers, ...powers.map((n) => -n)].map(double));
  await compare(
    'double',
    'float8',
    [1e15, 1e14, 123456789012345680, 1e23, 1e-4, 1e-5, 0.1, 1 / 3, 5e-324, NaN].map(double),
  );
  await compare(
    'double',
    'float8',
    Array.from({ length: 400 }, (_, i) => double(Number(`9.5e${i - 200}`))),
  );
  await compare('double', 'float8', [Infinity, -Infinity, Number.MAX_VALUE, 2 ** 53, 2 ** 53 + 2].map(double));
  await compare('double', 'float8', [double(-0)], false);
  const floatPowers = Array.from({ length: 277 }, (_, i) => Math.fround(2 ** (i - 149)));
  await compare('float', 'float4', [...floatPowers, ...floatPowers.map((n) => -n)].map(double));
  const floatTens = Array.from({ length: 76 }, (_, i) => double(Math.fround(10 ** (i - 38))));
  await compare('float', 'float4', [
    ...floatTens,
    ...[16_777_216, 33_554_430, 0.1, 999_999, NaN, -Infinity].map(Math.fround).map(double),
  ]);
  await compare('long', 'int8', [2n ** 63n - 1n, -(2n ** 63n), 0n, 2n ** 53n, -(2n ** 53n) - 1n, 10n ** 9n].map(long));
  await compare('int', 'int4', [2 ** 31 - 1, -(2 ** 31), 0, -1, 999_999_999, 1_000_000_000].map(double));
  await compare('time', 'time', [value('00:00:00'), value('23:59:59.999999'), value('24:00:00')]);
});

test('dates and times outside of the years 1 to 9999, and infinite ones', async () => {
  const dates = [
    ...[
      value('0044-03-15 BC', '0044-03-15 (BC)'),
      value('0001-12-31 BC', '0000-12-31'),
      value('4713-01-01 BC', '4713-01-01 (BC)'),
    ],
    ...[value('infinity'), value('-infinity'), value('10000-01-01'), value('294276-12-31')],
  ];
  await compare('date', 'date', dates, false);
  const timestamps = [
    ...[value('0044-03-15 12:00:00.5 BC', '0044-03-15 (BC) 12:00:00.5'), value('infinity'), value('-infinity')],
    ...[
      value('294246-01-01 23:59:59.999999'),
      value('1683-01-01 00:00:00.000001'),
      value('2300-01-01 00:00:00.000001'),
    ],
  ];
  await compare('timestamp', 'timestamp', timestamps, false);
  const zoned = timestamps.map(({ text, json }) => value(text!, `${String(json)}Z`));
  await compare('timestamptz', 'timestamptz', zoned, false);
});

const NESTED = `SELECT [{t: TIMESTAMP '2020-02-29 00:00:00.12', z: TIMESTAMPTZ '2020-02-29 12:00:00.000001Z', d: DATE '0044-03-15 (BC)',
  f: 0.1::FLOAT, x: 'hi'::BLOB, u: UUID '01997c2e-7b7a-7c1e-8000-000000000001', n: 'NaN'::DOUBLE, o: TIME '10:00:00'}, NULL] AS v`;

test.each([
  [`SELECT {a: 1, b: ['x', NULL, 'ü"']} AS v UNION ALL SELECT NULL UNION ALL SELECT {a: NULL, b: NULL}`],
  [`SELECT MAP {'k': 1, 'l': 9007199254740993} AS v UNION ALL SELECT MAP {}`],
  ['SELECT MAP {1: true, 2: NULL} AS v'],
  ['SELECT [[1.50::DECIMAL(5,2), NULL], NULL, []] AS v'],
  [NESTED],
])('%s is JSON, the same from both sources', async (sql) => {
  const inline = await engine.query(`${sql} LIMIT 10`);
  if (!inline.ok) throw new Error(inline.error.message);
  const expected = inline.rows!.map(([item]) => (item === null ? null : JSON.stringify(item)));
  expect(shown([rowsOfJson(inline.columns, inline.rows!)], 0)).toEqual(expected);
  expect(shown(await engine.stored(sql), 0).slice(0, expected.length)).toEqual(expected);
});

test('several columns, formats by column, and rows in parts', async () => {
  const columns = [
    { name: 'a', type: 'int' },
    { name: 'b', type: 'string' },
  ];
  const rows = Array.from({ length: 100 }, (_, i) => [i, i % 7 === 0 ? null : 'x'.repeat(i)]);
  const batch = rowsOfJson(columns, rows);
  const whole = batch.dataRows(0, 100, [1, 0]);
  expect(
    Buffer.concat([batch.dataRows(0, 30, [1, 0]), batch.dataRows(30, 30, [1, 0]), batch.dataRows(30, 100, [1, 0])]),
  ).toEqual(whole);
  expect(cellsOf(batch, [1, 0])[5]).toEqual([Buffer.from([0, 0, 0, 5]), Buffer.from('xxxxx')]);
});

test('a consumer that stops early ends the stream', async () => {
  const columns = [{ name: 'v', type: 'int' }];
  let isClosed = false;
  async function* source() {
    try {
      yield* engine.reader.arrowOfRows(
        columns,
        Array.from({ length: 20_000 }, (_, i) => [i]),
      );
    } finally {
      isClosed = true;
    }
  }
  for await (const batch of rowsOfArrow(columns, source())) {
    expect(batch.rowCount).toBeGreaterThan(1000);
    break;
  }
  expect(isClosed).toBe(true);
});

type TypeRow = { typname: string; typlen: number; typelem: number; text: string };

test('types are as in pg_type', async () => {
  const types = [
    ...SCALARS.map(([type]) => type),
    ...SCALARS.map(([type]) => `list<${type}>`),
    'struct<a: int>',
    'map<int,int>',
  ];
  for (const type of types) {
    const { oid, name, size, element, modifier } = pgTypeOf(type);
    const [row] = await oracle.rows<TypeRow>(
      `SELECT CAST(typname AS text), typlen, CAST(typelem AS int4), format_type(oid, ${modifier}) AS text FROM pg_type WHERE oid = ${oid}`,
    );
    expect([type, row!.typname, row!.typlen]).toEqual([type, name, size]);
    if (element !== null) expect([type, row!.typelem]).toEqual([type, element.oid]);
    const decimal = /decimal\((.*)\)/.exec(type);
    if (decimal !== null) expect(row!.text).toContain(`numeric(${decimal[1]})`);
  }
  const engine = [
    'INTEGER',
    'BIGINT',
    'VARCHAR',
    'TIMESTAMP WITH TIME ZONE',
    'DECIMAL(10,2)',
    'VARCHAR[]',
    'HUGEINT',
    'BLOB',
    'SMALLINT',
    'NULL',
    'INTEGER[3]',
  ];
  expect(engine.map((name) => pgTypeOfEngine(name).oid)).toEqual([
    23, 20, 25, 1184, 1700, 1009, 1700, 17, 23, 25, 1007,
  ]);
});

test('vectors of the catalog (POSTGRES-8)', async () => {
  const vectors = [value('1 2 -3', [1, 2, -3]), value('7', [7]), value('', []), none];
  await compare('int2vector', 'int2vector', vectors, false);
  await compare('oidvector', 'oidvector', [value('23 4294967295', [23, 4_294_967_295]), value('', []), none], false);
});
