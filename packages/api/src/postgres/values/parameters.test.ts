import fc from 'fast-check';
import { decodeParameter, decodeParameters, type Format, parameterCast, rowsOfJson } from './index.ts';
import { Engine } from './testing/engine.ts';
import { cellsOf, Oracle } from './testing/oracle.ts';

let oracle: Oracle;
let engine: Engine;
beforeAll(async () => {
  [oracle, engine] = await Promise.all([Oracle.open(), Engine.open()]);
});
afterAll(async () => {
  await engine.close();
  await oracle.close();
});

/** What a client receives for `SELECT $1`. */
async function selected(oid: number, format: Format, bytes: Buffer | null): Promise<string | null> {
  const cast = parameterCast(oid, { hasValue: true });
  const outcome = await engine.query(cast === null ? 'SELECT $1' : `SELECT CAST($1 AS ${cast})`, [
    decodeParameter(oid, format, bytes),
  ]);
  if (!outcome.ok) throw new Error(outcome.error.message);
  const [[cell] = []] = cellsOf(rowsOfJson(outcome.columns, outcome.rows!), [0]);
  return cell?.toString() ?? null;
}

/** Type, its oid, values. Each value is sent in text and in binary, and comes back as PostgreSQL writes it. */
const VALUES: readonly (readonly [string, number, readonly string[]])[] = [
  ['bool', 16, ['true', ' OFF ', '1', 'y', 'fa']],
  ['int2', 21, ['32767', '-32768', ' +7 ', '0']],
  ['int4', 23, ['2147483647', '-2147483648', '0']],
  ['int8', 20, ['9223372036854775807', '-9223372036854775808', '5']],
  ['oid', 26, ['4294967295', '0']],
  ['float4', 700, ['0.1', '-1e-30', 'inf', '-Infinity', 'NaN', '3.4028235e38']],
  ['float8', 701, ['0.1', '-1e300', '-inf', 'NaN', '.5', '1.', '5e-324', '1.7976931348623157e308']],
  [
    'numeric',
    1700,
    [
      '0',
      '-0.050',
      '12345678901234567890.123456789',
      '1e5',
      '12e-3',
      '.5',
      '99999999999999999999999999999999999999',
      '0.00010000',
      '10000',
    ],
  ],
  ['date', 1082, ['2020-02-29', '0044-03-15 BC', '10000-01-01', 'infinity', '-infinity', '0001-12-31 BC']],
  ['time', 1083, ['00:00:00', '23:59:59.999999', '7:05', '24:00:00']],
  [
    'timestamp',
    1114,
    [
      '2020-02-29 00:00:00.000001',
      '2020-02-29T12:00:00',
      '2020-02-29',
      '0044-03-15 10:00:00 BC',
      'infinity',
      '2020-02-29 10:00:00+05',
    ],
  ],
  [
    'timestamptz',
    1184,
    ['2020-02-29 00:00:00.5+02', '2020-02-29T12:00:00Z', '2020-02-29 12:00:00-03:30', '-infinity', '2020-01-01'],
  ],
  ['text', 25, ['', "it's", 'ü𝄞', '\\', '$1', '5', '{1}']],
  ['varchar', 1043, ['x']],
  ['uuid', 2950, ['01997C2E-7b7a-7c1e-8000-000000000001', '{01997c2e7b7a7c1e8000000000000001}']],
  ['json', 114, ['{"a": [1, null]}', '"x"']],
  ['bytea', 17, [String.raw`\x00ff5c41`, String.raw`\x`, String.raw`a\\b\000\377`]],
  ['int4[]', 1007, ['{}', '{1,NULL,-3}', '{ 5 , 6 }']],
  [
    'text[]',
    1009,
    [
      String.raw`{NULL,"NULL","",a,"a,b","q\"uote","back\\slash","{}"," x ",ü,'}`,
      '{}',
      '{"[1]","it\'s"}',
      // Of Unicode's spaces, only those of ASCII are around an element.
      ' {\u2000,\v \u00a0a\u00a0\f, \u3000b\u2003 } ',
    ],
  ],
  ['float8[]', 1022, ['{0.1,NaN,-Infinity}']],
  ['numeric[]', 1231, ['{}']],
  ['bool[]', 1000, ['{t,f,NULL}']],
  ['date[]', 1182, ['{2020-02-29,NULL}']],
  ['timestamp[]', 1115, ['{"2020-02-29 00:00:00.5"}']],
  ['uuid[]', 2951, ['{01997c2e-7b7a-7c1e-8000-000000000001}']],
  ['bytea[]', 1001, [String.raw`{"\\x00ff","\\x"}`]],
];

test.each(VALUES)('parameters of the type %s', async (type, oid, texts) => {
  const [binary, expected] = [await oracle.values(type, texts, 1), await oracle.values(type, texts, 0)];
  for (const [i, text] of texts.entries()) {
    const wanted = expected[i]!.toString();
    expect([text, await selected(oid, 0, Buffer.from(text))]).toEqual([text, wanted]);
    expect([text, await selected(oid, 1, binary[i]!)]).toEqual([text, wanted]);
  }
  expect([await selected(oid, 0, null), await selected(oid, 1, null)]).toEqual([null, null]);
});

test.each([
  [16, 'maybe', '22P02'],
  [23, '2147483648', '22003'],
  [23, '1.5', '22P02'],
  [23, '', '22P02'],
  [20, '9223372036854775808', '22003'],
  [21, '-32769', '22003'],
  [701, '1e400', '22003'],
  [701, '1e-400', '22003'],
  [700, '1e39', '22003'],
  [701, '0x10', '22P02'],
  [1700, '1e99', '22003'],
  [1700, '1,5', '22P02'],
  [1082, 'tomorrow', '22007'],
  [1082, '2021-02-29', '22008'],
  [1083, '25:00:00', '22008'],
  [1114, '2020-13-01 00:00:00', '22008'],
  [1184, "2020-01-01'; DROP TABLE t; --", '22007'],
  [2950, '01997c2e', '22P02'],
  [114, '{', '22P02'],
  [17, String.raw`\xabc`, '22P02'],
  [1007, '{1,2', '22P02'],
  [1007, '{1,x}', '22P02'],
  [1007, '1', '22P02'],
  [25, 'a\0b', '22021'],
])('the text of the type %s %j is refused with %s', (oid, text, sqlState) => {
  expect(() => decodeParameter(oid, 0, Buffer.from(text))).toThrow(expect.objectContaining({ sqlState }));
});

test('bytes that no value has are refused, and the error names the parameter', () => {
  const refused = (oid: number, bytes: readonly number[], sqlState = '22P03') =>
    expect(() => decodeParameters([23, oid], [1], [Buffer.alloc(4), Buffer.from(bytes)])).toThrow(
      expect.objectContaining({ sqlState, message: expect.stringMatching(/^Parameter \$2: /) }),
    );
  for (const oid of [16, 21, 23, 20, 700, 701, 1082, 1083, 1114, 1184, 2950, 1700, 1186, 1007]) refused(oid, [1, 2, 3]);
  refused(1700, [0, 1, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
  refused(1700, [0x7f, 0xff, 0, 0, 0, 0, 0, 0]);
  refused(3802, [2]);
  refused(25, [0xff], '22021');
  refused(1007, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 1]);
  refused(1007, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 23, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1]);
});

test('any bytes become a parameter or a clear error', () => {
  const oids = fc.constantFrom(
    0,
    16,
    17,
    20,
    21,
    23,
    25,
    26,
    114,
    700,
    701,
    705,
    1007,
    1009,
    1082,
    1083,
    1114,
    1184,
    1186,
    1231,
    1700,
    2950,
    3802,
    99_999,
  );
  fc.assert(
    fc.property(oids, fc.constantFrom<Format>(0, 1), fc.uint8Array({ maxLength: 60 }), (oid, format, bytes) => {
      try {
        decodeParameter(oid, format, Buffer.from(bytes));
      } catch (error) {
        expect(error).toHaveProperty('sqlState');
      }
    }),
    { numRuns: 3000 },
  );
});

test('the engine casts a value without a type as the statement needs', async () => {
  const untyped = (text: string) => decodeParameter(0, 0, Buffer.from(text));
  const t = `(SELECT 5 AS i, 5::BIGINT AS l, 1.5::DECIMAL(9,2) AS d, DATE '2020-01-01' AS da, TIMESTAMPTZ '2020-01-01 00:00:00Z' AS z, 'x' AS s, true AS b,
    UUID '01997c2e-7b7a-7c1e-8000-000000000001' AS u, '\\xFF'::BLOB AS bin)`;
  const where = async (condition: string, text: string) =>
    engine.rows(`SELECT count(*) FROM ${t} WHERE ${condition}`, [untyped(text)]);
  expect(await where('i = $1', '5')).toEqual([[1]]);
  expect(await where('l IN ($1)', '5')).toEqual([[1]]);
  expect(await where('d = $1', '1.50')).toEqual([[1]]);
  expect(await where('i < $1', '10')).toEqual([[1]]);
  expect(await where('da >= $1', '2020-01-01')).toEqual([[1]]);
  expect(await where('z = $1', '2020-01-01 01:00:00+01')).toEqual([[1]]);
  expect(await where('s = $1', 'x')).toEqual([[1]]);
  expect(await where('b = $1', 't')).toEqual([[1]]);
  expect(await where('u = $1', '01997c2e-7b7a-7c1e-8000-000000000001')).toEqual([[1]]);
  expect(await where('bin = $1', String.raw`\xFF`)).toEqual([[1]]);
  expect(await where('i = ANY(CAST($1 AS INTEGER[]))', '[5, 6]')).toEqual([[1]]);
  expect(await where('z + CAST($1 AS INTERVAL) > z', '1 day')).toEqual([[1]]);
  // In arithmetic, the engine needs the type that it infers for the parameter.
  expect(await where('i + $1 = 7', '2')).toMatch(/^binder-error: /);
  expect(await engine.rows(`SELECT 5 + $1`, [decodeParameter(23, 0, Buffer.from('2'))])).toEqual([[7]]);
  expect(await engine.rows(`SELECT i FROM ${t} LIMIT $1`, [untyped('1')])).toEqual([[5]]);
  expect(await engine.rows(`SELECT i FROM ${t} LIMIT $1`, [decodeParameter(20, 0, Buffer.from('1'))])).toEqual([[5]]);
});
