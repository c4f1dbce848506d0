import fs from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { literal } from '../queries/sql-text.ts';
import { QueryFixture } from '../queries/testing/query-fixture.ts';
import { type LoadFormat, load } from './index.ts';

let f: QueryFixture;
let files = 0;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

/** Loads one column `v`. */
async function loadValues(type: string, format: LoadFormat, data: string | Buffer) {
  const { fields } = fieldsOfColumns([{ name: 'v', type }]);
  const location = joinLocation(f.store.root, 'uploads', `u${++files}`);
  await f.store.write(location, Buffer.from(data));
  const tableLocation = joinLocation(f.store.root, `loaded${files}`);
  const outcome = await load(f.sandbox, {
    source: { files: [{ locations: [location] }], format },
    fields,
    tableLocation,
    owner: 'somebody',
  });
  if (!outcome.ok) {
    for await (const left of f.store.list(tableLocation)) throw new Error(`${left.location} was left`);
    return outcome.error;
  }
  const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
  f.relations.set('loaded', { kind: 'managed', fields, files: scan });
  return (await f.rows('select v from loaded')).map(([value]) => value);
}

const csv = (text: string) => `v\n\n"${text.replaceAll('"', '""')}"\n`;
const ndjson = (json: string) => `{}\n{"v":${json}}\n`;

/** The type, the value's JSON, and how it is named where that is another text. */
const REJECTED: readonly (readonly [string, string, string?])[] = [
  ['list<int>', '["a"]'],
  ['list<int>', '[1.5]'],
  ['list<int>', '{"a":1}'],
  ['list<list<int>>', '[[1],["a"]]'],
  ['list<float>', '[1e39]', '[1e39]'],
  ['map<string,int>', '{"k":"y"}'],
  ['map<string,int>', '{"k":1,"k":2}'],
  ['map<int,int>', '{"1":1,"01":2}'],
  ['map<int,int>', '{"k":1}'],
  ['map<string,list<int>>', '{"k":[1,"x"]}'],
  ['struct<a: int>', '{"a":1,"b":2}'],
  ['struct<a: int, b: int>', '{"a":1}'],
  ['struct<a: int>', '{"a":1,"a":2}'],
  ['struct<a: struct<b: date>>', '{"a":{"b":"no"}}'],
  ['list<binary>', '["%"]'],
  ['double', '1e309'],
  ['double', '-1e400'],
  ['float', '"3.5e38"', '3.5e38'],
  ['decimal(10,2)', '1.239'],
  ['decimal(10,2)', '"1.2300000000000002"', '1.2300000000000002'],
  ['decimal(10,2)', '"1239e-3"', '1239e-3'],
  ['long', '"9007199254740993.5"', '9007199254740993.5'],
  ['date', '"2020-01-01T10:00:00"', '2020-01-01T10:00:00'],
  ['date', '"2020-01-01 foo"', '2020-01-01 foo'],
  ['time', '"12:00:00.1234567"', '12:00:00.1234567'],
  ['time', '"2020-01-01 10:00:00"', '2020-01-01 10:00:00'],
  ['timestamp', '"2020-01-01T00:00:00.1234567"', '2020-01-01T00:00:00.1234567'],
  ['timestamptz', '"2020-01-01T00:00:00.1234567Z"', '2020-01-01T00:00:00.1234567Z'],
];

const NAMED = REJECTED.map(([type, json, named = json]) => [type, json, named] as const);

test.each(NAMED)('%s: %s is refused with line, column and value (TABLE-7)', async (type, json, named) => {
  const refused = { code: 'wrong-value', column: 'v', value: named };
  expect(await loadValues(type, 'ndjson', ndjson(json))).toMatchObject({ ...refused, line: 2 });
  expect(await loadValues(type, 'csv', csv(named))).toMatchObject({ ...refused, line: 3 });
});

const ACCEPTED: readonly (readonly [string, string, unknown])[] = [
  ['list<int>', '[1,null,"2",3.0]', [1, null, 2, 3]],
  ['list<int>', '[]', []],
  ['list<list<string>>', '[["a",1.5],null,[]]', [['a', '1.5'], null, []]],
  ['list<double>', '["inf",1]', ['Infinity', 1]],
  ['map<string,int>', '{"k":1,"l":null}', { k: 1, l: null }],
  ['map<string,int>', '{}', {}],
  [
    'struct<a: int, "b/c": list<decimal(10,2)>>',
    '{"b/c":[1.5,"2.250"],"a":null}',
    { a: null, 'b/c': ['1.50', '2.25'] },
  ],
  ['struct<a: struct<b: struct<c: binary>>>', '{"a":{"b":{"c":"aGk="}}}', { a: { b: { c: 'aGk=' } } }],
  ['double', '"inf"', 'Infinity'],
  ['double', '"-Infinity"', '-Infinity'],
  ['float', '"nan"', 'NaN'],
  ['decimal(10,2)', '"1.230"', '1.23'],
  ['decimal(10,2)', '"1.2e1"', '12.00'],
  ['date', '"2020-01-01T00:00:00"', '2020-01-01'],
  ['time', '"12:00:00.1230000"', '12:00:00.123'],
  ['timestamp', '"2020-01-01T00:00:00.1234560"', '2020-01-01T00:00:00.123456'],
];

test.each(ACCEPTED)('%s: %s is taken', async (type, json, value) => {
  const text: string = json.startsWith('"') ? JSON.parse(json) : json;
  expect(await loadValues(type, 'ndjson', ndjson(json))).toEqual([null, value]);
  expect(await loadValues(type, 'csv', csv(text))).toEqual([null, value]);
});

describe('NDJSON', () => {
  const fields = fieldsOfColumns([
    { name: 'id', type: 'long' },
    { name: 'Name', type: 'string' },
  ]).fields;

  async function loadLines(lines: readonly string[]) {
    const location = joinLocation(f.store.root, 'uploads', `u${++files}`);
    await f.store.write(location, Buffer.from(`${lines.join('\n')}\n`));
    const tableLocation = joinLocation(f.store.root, `loaded${files}`);
    const outcome = await load(f.sandbox, {
      source: { files: [{ locations: [location] }], format: 'ndjson' },
      fields,
      tableLocation,
    });
    if (!outcome.ok) return outcome.error;
    const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
    f.relations.set('loaded', { kind: 'managed', fields, files: scan });
    return f.rows('select id, "Name" from loaded order by id');
  }

  test.each([
    [['{"id":1}', '{"id":1,"id":2}'], 'id'],
    [['{"id":1,"Name":"a","ID":2}'], 'ID'],
    [['{"id":3,"name":"a","NAME":null}'], 'NAME'],
    [['{"id":1,"Name":"a"}', '{"Name":"a","Name":"b"}'], 'Name'],
  ])('%j has a key twice, which is named with its line', async (lines, key) => {
    expect(await loadLines(lines)).toMatchObject({
      code: 'file-malformed',
      line: lines.length,
      message: `Line ${lines.length}: The key "${key}" appears twice (ignoring letter case).`,
    });
  });

  test('keys are compared without letter case, as the columns of CSV and Parquet', async () => {
    expect(await loadLines(['{"ID":1,"name":"a"}', '{"NAME":"b","Id":2}', '{"id":3}', '{}'])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, null],
      [null, null],
    ]);
    expect(await loadLines(['{"ID":1}', '{"IDs":1}'])).toMatchObject({
      code: 'unknown-column',
      column: 'IDs',
      line: 2,
    });
  });

  test.each([
    ['long', '9007199254740993', '9007199254740993'],
    ['long', '9007199254740993.0', '9007199254740993'],
    ['long', '9007199254740993e0', '9007199254740993'],
    ['long', '-9223372036854775808', '-9223372036854775808'],
    ['decimal(38,0)', '123456789012345678901234567890', '123456789012345678901234567890'],
    ['decimal(38,0)', '12345678901234567890123456789.0e1', '123456789012345678901234567890'],
    ['decimal(18,2)', '1234567890123456.78', '1234567890123456.78'],
    ['decimal(38,20)', '0.10000000000000000555', '0.10000000000000000555'],
    ['string', '9007199254740993', '9007199254740993'],
    ['list<long>', '[9007199254740993.0, 1]', ['9007199254740993', 1]],
    ['struct<a: decimal(20,4)>', '{"a": 1234567890123456.7891}', { a: '1234567890123456.7891' }],
    [
      'map<string,long>',
      '{"1234567890.12345678901": 9007199254740993.0}',
      { '1234567890.12345678901': '9007199254740993' },
    ],
  ])('%s keeps the digits of %s', async (type, json, value) => {
    expect(await loadValues(type, 'ndjson', ndjson(json))).toEqual([null, value]);
  });

  test.each([
    ['long', '9223372036854775808', '9223372036854775808'],
    ['decimal(38,20)', '0.123456789012345678901', '0.123456789012345678901'],
  ])("%s can't hold %s, which is shown with all digits (TABLE-7)", async (type, json, value) => {
    expect(await loadValues(type, 'ndjson', ndjson(json))).toMatchObject({ code: 'wrong-value', line: 2, value });
  });
});

/** A column `v` in INT96: null and 2020-03-01 00:00:00.123456789. */
const INT96 =
  'UEFSMRUAFSQVJCwVBBUAFQYVBhwAAAACAAAAAwIVzVsHAAAAAB6FJQAVBBksNQAYBnNjaGVtYRUCABUGJQIYAXYAFgQZHBkcJgAcFQYZJQYAGRgBdhUAFgQWShZKJghJHBUAFQAVAgA8KQYZJgICAAAAFkoWBCYIFkoAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkcHAAAAHoAAABQQVIx';

/** A column `v` of times in microseconds, with one value: 25:00:00. */
const TIME =
  'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEABGv0FAAAABUEGSw1ABgGc2NoZW1hFQIAFQQlAhgBdmx8EhwsAAAAAAAWAhkcGRwmABwVBBklBgAZGAF2FQAWAhZCFkImCEkcFQAVABUCADwpBhkmAAIAAAAWQhYCJggWQgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGRwcAAAAgwAAAFBBUjE=';

test.each([
  [90_000_000_000n, { code: 'wrong-value', line: 1, column: 'v', value: '25:00:00' }],
  [-1n, { code: 'wrong-value', line: 1, column: 'v' }],
  [2n ** 63n - 1n, { code: 'wrong-value', line: 1, column: 'v' }],
])('a time in Parquet outside of a day is refused: %s', async (microseconds, refused) => {
  expect(await loadValues('time', 'parquet', timeFile(microseconds))).toMatchObject(refused);
});

test.each([
  [0n, '00:00:00'],
  [86_400_000_000n, '24:00:00'],
])('a time in Parquet within a day is stored: %s', async (microseconds, text) => {
  expect(await loadValues('time', 'parquet', timeFile(microseconds))).toEqual([text]);
});

/** A column `v` with null and {k: [null, {a: null}, {a: 25:00:00}]}. */
const NESTED_TIME =
  'UEFSMRUAFSQVJCwVBBUAFQYVBhwAAAACAAAABAADAAAAAwgAAQAAAGsVABUuFS4sFQgVABUGFQYcAAAAAwAAAAOgAAQAAAADYA0AAARr9BQAAAAVBBmMNQAYBnNjaGVtYRUCADUCGAF2FQIVAkwsAAAANQQYCWtleV92YWx1ZRUEABUMJQAYA2tleSUATBwAAAA1AhgFdmFsdWUVAhUGTDwAAAA1BBgEbGlzdBUCADUCGAdlbGVtZW50FQIAFQQlAhgBYWx8EhwsAAAAAAAWBBkcGSwmABwVDBklBgAZOAF2CWtleV92YWx1ZQNrZXkVABYEFkoWSiYISRwVABUAFQIAPBYCGSYEABk2AgACAAAAJgAcFQQZJQYAGWgBdglrZXlfdmFsdWUFdmFsdWUEbGlzdAdlbGVtZW50AWEVABYIFlQWVCZSSRwVABUAFQIAPCk2BAAEGXYCAAAAAgICAAAAFp4BFgQmCBaeAQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGSwcAAAcAAAARQEAAFBBUjE=';

test('a time inside of other values in Parquet is checked in the same way', async () => {
  const type = 'map<string,list<struct<a: time>>>';
  const loadTime = (microseconds: bigint) => loadValues(type, 'parquet', timeFile(microseconds, NESTED_TIME));
  for (const microseconds of [90_000_000_000n, -1n])
    expect(await loadTime(microseconds)).toMatchObject({ code: 'wrong-value', line: 2, column: 'v' });
  expect(await loadTime(86_400_000_000n)).toEqual([null, { k: [null, { a: null }, { a: '24:00:00' }] }]);
});

test('a Parquet map with a repeated key is refused', async () => {
  const local = `${f.dir}/map${++files}.parquet`;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const select = "SELECT [MAP {'first': 1, 'other': 2}] AS v FROM range(2) t(i)";
  await connection.run(`COPY (${select}) TO ${literal(local).text} (COMPRESSION uncompressed)`);
  connection.closeSync();
  instance.closeSync();
  const written = await fs.readFile(local, 'latin1');
  const load = (text: string) => loadValues('list<map<string,int>>', 'parquet', Buffer.from(text, 'latin1'));
  expect(await load(written)).toEqual([[{ first: 1, other: 2 }], [{ first: 1, other: 2 }]]);
  const refused = { code: 'wrong-value', line: 1, column: 'v', value: "[{'first': 1, 'first': 2}]" };
  expect(await load(written.replaceAll('other', 'first'))).toMatchObject(refused);
});

function timeFile(microseconds: bigint, template = TIME): Buffer {
  const file = Buffer.from(template, 'base64');
  const written = Buffer.alloc(8);
  written.writeBigInt64LE(90_000_000_000n);
  file.writeBigInt64LE(microseconds, file.indexOf(written));
  return file;
}

/** TimestampType in the footer, as thrift writes it: isAdjustedToUTC false and true, unit NANOS. */
const [LOCAL_NANOS, UTC_NANOS] = ['8c121c3c000000', '8c111c3c000000'];

describe('nanoseconds in Parquet', () => {
  async function parquet(type: string, select: string, options: { utc?: boolean } = {}) {
    const local = `${f.dir}/u${++files}.parquet`;
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (${select}) TO ${literal(local).text}`);
    connection.closeSync();
    instance.closeSync();
    const written = await fs.readFile(local, 'hex');
    if (!options.utc) return loadValues(type, 'parquet', Buffer.from(written, 'hex'));
    expect(written).toContain(LOCAL_NANOS);
    return loadValues(type, 'parquet', Buffer.from(written.replaceAll(LOCAL_NANOS!, UTC_NANOS!), 'hex'));
  }
  const ns = 'make_timestamp_ns(1583020800123456789)';
  const us = 'make_timestamp_ns(1583020800123456000)';
  const refused = { code: 'wrong-value', line: 2, column: 'v', value: '2020-03-01 00:00:00.123456789' };

  test.each([
    ['timestamp', ns],
    ['list<timestamp>', `[${us}, ${ns}, NULL]`],
    ['struct<a: timestamp>', `{a: ${ns}}`],
    ['map<string,list<timestamp>>', `MAP {'k': [${ns}]}`],
  ])('that a column of the type %s would cut are refused (TABLE-7)', async (type, value) => {
    const select = `SELECT * FROM (VALUES (NULL), (${value})) t(v)`;
    expect(await parquet(type, select)).toMatchObject(refused);
    expect(await parquet(type.replace('timestamp', 'timestamptz'), select, { utc: true })).toMatchObject(refused);
  });

  test('are shown with all digits before 1970 too', async () => {
    const select = 'SELECT make_timestamp_ns(-1) AS v';
    expect(await parquet('timestamptz', select, { utc: true })).toMatchObject({
      ...{ code: 'wrong-value', line: 1, value: '1969-12-31 23:59:59.999999999' },
    });
  });

  test('are found behind the first row group', async () => {
    const select = `SELECT make_timestamp_ns(CASE i WHEN 150000 THEN 1 ELSE 1000 END) AS v FROM range(200000) t(i)`;
    expect(await parquet('timestamptz', select, { utc: true })).toMatchObject({ code: 'wrong-value', line: 150001 });
  });

  test('of times are refused, and taken if they are whole microseconds, as polars writes them (TABLE-7)', async () => {
    const select = (fraction: string) => `SELECT * FROM (VALUES (NULL), ('01:02:03.${fraction}'::TIME_NS)) t(v)`;
    expect(await parquet('time', select('000456000'))).toEqual([null, '01:02:03.000456']);
    const truncated = { code: 'wrong-value', line: 2, column: 'v', value: '01:02:03.000456789' };
    expect(await parquet('time', select('000456789'))).toMatchObject(truncated);
  });

  test('are refused in INT96', async () => {
    expect(await loadValues('timestamp', 'parquet', Buffer.from(INT96, 'base64'))).toMatchObject(refused);
  });

  test.each([
    ['timestamp', us, '2020-03-01T00:00:00.123456'],
    ['list<timestamp>', `[${us}, NULL]`, ['2020-03-01T00:00:00.123456', null]],
    ['struct<a: timestamp>', `{a: ${us}}`, { a: '2020-03-01T00:00:00.123456' }],
  ])('of a whole microsecond are taken: %s', async (type, value, stored) => {
    const select = `SELECT * FROM (VALUES (NULL), (${value})) t(v)`;
    expect(await parquet(type, select)).toEqual([null, stored]);
    const inUtc = JSON.parse(JSON.stringify(stored).replace('123456"', '123456Z"'));
    expect(await parquet(type.replace('timestamp', 'timestamptz'), select, { utc: true })).toEqual([null, inUtc]);
  });
});
