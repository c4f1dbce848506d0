import fs from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { QueryFixture } from '../queries/testing/query-fixture.ts';
import { inferLoadColumns, type LoadFormat, type LoadOutcome, load } from './index.ts';
import { NESTED_UNTYPED, UNTYPED } from './testing/untyped-parquet.ts';

let f: QueryFixture;
let files = 0;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

const COLUMNS = [
  { name: 'id', type: 'long', nullable: false },
  { name: 'name', type: 'string' },
  { name: 'amount', type: 'decimal(10,2)' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamptz' },
  { name: 'ok', type: 'boolean' },
  { name: 'raw', type: 'binary' },
  { name: 'tags', type: 'list<string>' },
];
const { fields } = fieldsOfColumns(COLUMNS);

async function loadText(format: LoadFormat, text: string | Buffer): Promise<LoadOutcome> {
  const location = joinLocation(f.store.root, 'uploads', `u${++files}`);
  await f.store.write(location, Buffer.from(text));
  return loadAt(format, location);
}

const loadAt = (format: LoadFormat, location: string, into = fields) =>
  load(f.sandbox, {
    source: { files: [{ locations: [location] }], format },
    fields: into,
    tableLocation: joinLocation(f.store.root, 'loaded'),
  });

async function loaded(format: LoadFormat, text: string): Promise<unknown> {
  const outcome = await loadText(format, text);
  if (!outcome.ok) throw new Error(outcome.error.message);
  const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
  f.relations.set('loaded', { kind: 'managed', fields, files: scan });
  return f.rows('select * from loaded order by id');
}

const tableFiles = async () => {
  const found: string[] = [];
  for await (const o of f.store.list(joinLocation(f.store.root, 'loaded'))) found.push(o.location);
  return found;
};

test.each(['csv', 'ndjson', 'parquet'] as const)('%s: only columns of the file are inferred', async (format) => {
  const location = joinLocation(f.store.root, 'inferred', format);
  await f.store.write(location, Buffer.from(format === 'csv' ? 'a,b\n1,x\n' : '{"a":1,"b":"x"}\n'));
  const path = await f.store.localPath(location);
  if (format === 'parquet') {
    const engine = await DuckDBInstance.create(':memory:');
    const connection = await engine.connect();
    await connection.run(`COPY (SELECT 1 AS a, 'x' AS b) TO '${path}' (FORMAT parquet)`);
    connection.closeSync();
    engine.closeSync();
  }
  const inferred = await inferLoadColumns(f.sandbox, { format, path, owner: 'tests' });
  expect(inferred.ok && inferred.columns.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('CSV: columns in any order, null and empty, quotes, line ends, byte order mark (TABLE-6)', async () => {
  const text = '\ufeffName,ID,amount\r\n"a ""b"", c\nd",1,1.5\r\n,2,\r\n"",3,-0.01\r\n';
  expect(await loaded('csv', text)).toEqual([
    [1, 'a "b", c\nd', '1.50', null, null, null, null, null],
    [2, null, null, null, null, null, null, null],
    [3, '', '-0.01', null, null, null, null, null],
  ]);
  const typed = 'id,day,at,ok,raw,tags\n1,2020-02-29,2020-01-01T00:00:00+02:00,true,aGk=,"[""x"",null]"\n';
  expect(await loaded('csv', typed)).toEqual([
    [1, null, null, '2020-02-29', '2019-12-31T22:00:00Z', true, 'aGk=', ['x', null]],
  ]);
  const whole = 'id\n1.0\n1e3\n-7\n-8.0\n10e-1';
  expect(await loaded('csv', whole)).toEqual([-8, -7, 1, 1, 1000].map((id) => [id, ...Array(7).fill(null)]));
  const empty = await loadText('csv', 'id,name\n');
  expect(empty).toMatchObject({ ok: true, files: [], rowCount: 0, sizeBytes: 0 });
});

test('CSV: a row of 8 MB is the longest, whatever lines are in it', async () => {
  const row = (bytes: number) => `id,name\n1,"${'line\n'.repeat(bytes / 5)}"\n2,x\n`;
  const longest = await loadText('csv', row(7_999_000));
  expect([longest.ok, longest.ok && longest.rowCount]).toEqual([true, 2]);
  const more = await loadText('csv', row(8_500_000));
  expect(more).toMatchObject({ ok: false, error: { code: 'file-malformed', line: 2 } });
  expect(more.ok ? '' : more.error.message).toContain('The row is longer than 8 MB. Load');
  // The engine leaves out a last line that is longer than two of its buffers.
  for (const end of ['', '\n']) {
    const last = await loadText('csv', `id,name\n1,x\n2,${'y'.repeat(20_000_000)}${end}`);
    expect(last).toMatchObject({
      ok: false,
      error: {
        code: 'file-malformed',
        line: 3,
        message: more.ok ? '' : more.error.message.replace('Line 2', 'Line 3'),
      },
    });
  }
});

test('NDJSON: the same, keys are names (TABLE-6)', async () => {
  const text =
    '{"id":1,"name":"x","amount":"1.50","tags":["a"],"raw":"aGk=","ok":false}\n\n{"name":"","id":9007199254740993}\n{"id":3,"name":null}';
  expect(await loaded('ndjson', text)).toEqual([
    [1, 'x', '1.50', null, null, false, 'aGk=', ['a']],
    [3, null, null, null, null, null, null, null],
    ['9007199254740993', '', null, null, null, null, null, null],
  ]);
});

const BAD: readonly (readonly [string, LoadFormat, string | Buffer, object])[] = [
  ['empty file', 'csv', '', { code: 'file-malformed' }],
  ['unknown column', 'csv', 'id,nam\n1,x\n', { code: 'unknown-column', line: 1, column: 'nam' }],
  ['column twice', 'csv', 'id,ID\n1,1\n', { code: 'file-malformed' }],
  ['missing column', 'csv', 'name\nx\n', { code: 'missing-column', line: 1, column: 'id' }],
  ['wrong number', 'csv', 'id,name\n1,a\n"x",b\n', { code: 'wrong-value', line: 3, column: 'id', value: 'x' }],
  ['fraction', 'csv', 'id,name\n1.5,a\n', { code: 'wrong-value', line: 2, column: 'id', value: '1.5' }],
  ['tenths', 'csv', 'id,name\n-3,a\n15e-1,b\n', { code: 'wrong-value', line: 3, column: 'id', value: '15e-1' }],
  ['behind a long value', 'csv', 'name,id\n"a\nb\nc",1\nd,x\n', { code: 'wrong-value', line: 5, column: 'id' }],
  ['behind blank lines', 'csv', 'name,id\n\n\nd,x\n', { code: 'wrong-value', line: 4, column: 'id' }],
  ['too large', 'csv', 'id,amount\n1,123456789.00\n', { code: 'wrong-value', column: 'amount' }],
  ['empty text as number', 'csv', 'id,amount\n1,""\n', { code: 'wrong-value', column: 'amount', value: '' }],
  ['no date', 'csv', 'id,day\n1,2020-02-30\n', { code: 'wrong-value', column: 'day', value: '2020-02-30' }],
  ['no base64', 'csv', 'id,raw\n1,%%%\n', { code: 'wrong-value', column: 'raw', value: '%%%' }],
  ['no list', 'csv', 'id,tags\n1,[1\n', { code: 'wrong-value', column: 'tags' }],
  ['null', 'csv', 'id,name\n1,a\n,b\n', { code: 'null-not-allowed', line: 3, column: 'id' }],
  ['too few values', 'csv', 'id,name\n1,a\n2\n', { code: 'file-malformed', line: 3 }],
  ['too many values', 'csv', 'id,name\n1,a,b\n', { code: 'file-malformed', line: 2 }],
  ['open quote', 'csv', 'id,name\n1,"a\n2,b\n', { code: 'file-malformed', line: 2 }],
  ['text behind quote', 'csv', 'id,name\n1,"a"b\n', { code: 'file-malformed', line: 2 }],
  ['not UTF-8', 'csv', Buffer.from([...Buffer.from('id,name\n1,'), 0xff, 10]), { code: 'file-malformed', line: 2 }],
  ['mixed line ends', 'csv', 'id,name\r\n1,a\n2,b\r\n', { code: 'file-malformed' }],
  ['open quote in the header', 'csv', '"id,name\n1,a\n', { code: 'file-malformed', line: 1 }],
  ['no JSON', 'ndjson', '{"id":1}\n{"id":\n', { code: 'file-malformed', line: 2 }],
  [
    'half a character',
    'ndjson',
    '{"id":1,"name":"\\ud83d\\ude00"}\n{"id":2,"name":"\\ud800"}\n',
    { code: 'file-malformed', line: 2 },
  ],
  ['no object', 'ndjson', '{"id":1}\n\n[1]\n', { code: 'file-malformed', line: 3 }],
  ['unknown key', 'ndjson', '{"id":1}\n\n{"id":2,"zz":1}\n', { code: 'unknown-column', line: 3, column: 'zz' }],
  ['wrong value', 'ndjson', '{"id":1}\n\n{"id":"x"}\n', { code: 'wrong-value', line: 3, column: 'id', value: 'x' }],
  ['wrong list', 'ndjson', '{"id":1,"tags":5}\n', { code: 'wrong-value', column: 'tags' }],
  ['missing key', 'ndjson', '{"id":1}\n{"name":"x"}\n', { code: 'null-not-allowed', line: 2, column: 'id' }],
  ['no Parquet', 'parquet', 'PAR1 not really', { code: 'file-malformed' }],
];

test.each(BAD)('%s (%s) is refused and leaves nothing (TABLE-6)', async (_name, format, text, expected) => {
  const before = await tableFiles();
  expect(await loadText(format, text)).toMatchObject({
    ok: false,
    error: { ...expected, message: expect.any(String) },
  });
  expect(await tableFiles()).toEqual(before);
});

describe('Parquet', () => {
  const written = async (select: string) => {
    const file = path.join(f.dir, `p${++files}.parquet`);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (${select}) TO '${file}'`);
    connection.closeSync();
    instance.closeSync();
    const location = joinLocation(f.store.root, 'uploads', path.basename(file));
    await f.store.write(location, await fs.readFile(file));
    return location;
  };

  test('widens what fits', async () => {
    const location = await written("SELECT 1::INT AS id, 'x' AS name, 2.5::DECIMAL(5,1) AS amount");
    expect(await loadAt('parquet', location)).toMatchObject({ ok: true, rowCount: 1 });
  });

  test('takes a column without a type, as pandas and polars write one without a value, as nulls', async () => {
    const location = joinLocation(f.store.root, 'uploads', `untyped${++files}.parquet`);
    await f.store.write(location, Buffer.from(UNTYPED, 'base64'));
    const outcome = await loadAt('parquet', location);
    expect(outcome).toMatchObject({ ok: true, rowCount: 2 });
    if (!outcome.ok) return;
    const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
    f.relations.set('loaded', { kind: 'managed', fields, files: scan });
    expect(await f.rows('select id, name, tags from loaded order by id')).toEqual([
      [1, null, null],
      [2, null, null],
    ]);
  });

  test('takes elements and fields without a type as nulls of any type', async () => {
    const location = joinLocation(f.store.root, 'uploads', `nested${++files}.parquet`);
    await f.store.write(location, Buffer.from(NESTED_UNTYPED, 'base64'));
    const { fields: nested } = fieldsOfColumns([
      { name: 'id', type: 'long' },
      { name: 'tags', type: 'list<uuid>' },
      { name: 's', type: 'struct<a: long, b: date, c: list<decimal(9,2)>>' },
      { name: 'm', type: 'map<string,list<long>>' },
      { name: 'x', type: 'list<list<struct<y: timestamptz>>>' },
    ]);
    const outcome = await loadAt('parquet', location, nested);
    expect(outcome).toMatchObject({ ok: true, rowCount: 2 });
    if (!outcome.ok) return;
    const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
    f.relations.set('nested', { kind: 'managed', fields: nested, files: scan });
    expect(await f.rows('select id, tags, s, m, x from nested order by id')).toEqual([
      [1, [null], { a: 1, b: null, c: null }, { k: null }, [[null], []]],
      [2, null, null, null, null],
    ]);
    const { fields: other } = fieldsOfColumns([
      ...[
        { name: 'id', type: 'long' },
        { name: 'tags', type: 'map<string,long>' },
        { name: 's', type: 'string' },
      ],
      ...[
        { name: 'm', type: 'string' },
        { name: 'x', type: 'string' },
      ],
    ]);
    const refused = { ok: false, error: { code: 'wrong-type', column: 'tags' } };
    expect(await loadAt('parquet', location, other)).toMatchObject(refused);
  });

  test('takes the texts of UUIDs, as polars and Spark write them', async () => {
    const { fields: ids } = fieldsOfColumns([{ name: 'id', type: 'uuid' }]);
    const texts = (more: string) => written(`SELECT unnest(['00000000-0000-4000-8000-000000000001', ${more}]) AS id`);
    expect(await loadAt('parquet', await texts('NULL'), ids)).toMatchObject({ ok: true, rowCount: 2 });
    expect(await loadAt('parquet', await texts("'x'"), ids)).toMatchObject({
      ok: false,
      error: { code: 'wrong-value', line: 2, column: 'id', value: 'x' },
    });
  });

  test.each([
    ["SELECT 'x' AS id", { code: 'wrong-type', column: 'id' }],
    ['SELECT 1.5::DOUBLE AS id', { code: 'wrong-type', column: 'id' }],
    ['SELECT 1 AS id, 2 AS other', { code: 'unknown-column', column: 'other' }],
    ["SELECT 'a' AS name", { code: 'missing-column', column: 'id' }],
    [
      'SELECT CASE WHEN i <> 2 THEN i END AS id FROM range(5) t(i)',
      { code: 'null-not-allowed', line: 3, column: 'id' },
    ],
    [
      'SELECT i::INT AS id, 10_000_000 * i::INT AS amount FROM range(15) t(i)',
      { code: 'wrong-value', line: 11, column: 'amount', value: '100000000' },
    ],
  ])('%s', async (select, expected) => {
    expect(await loadAt('parquet', await written(select))).toMatchObject({ ok: false, error: expected });
  });

  test('a damaged file', async () => {
    const good = await f.store.read(await written('SELECT i AS id, random()::VARCHAR AS name FROM range(5000) t(i)'));
    good.fill(7, 200, 2000);
    expect(await loadText('parquet', good)).toMatchObject({ ok: false, error: { code: 'file-malformed' } });
  });
});

test('a load that exceeds a limit does not blame the file', async () => {
  const location = joinLocation(f.store.root, 'uploads', 'limited');
  await f.store.write(location, Buffer.from(`id\n${'1\n'.repeat(500_000)}`));
  const request = {
    source: { files: [{ locations: [location] }], format: 'csv' as const },
    fields: fields.slice(0, 1),
    tableLocation: joinLocation(f.store.root, 'loaded'),
  };
  expect(await load(f.sandbox, { ...request, limits: { timeoutMs: 1 } })).toEqual({
    ok: false,
    error: {
      code: 'timeout',
      message: 'The load exceeded its time limit. Load less data, or have the operator raise the limit.',
    },
  });
  const outcome = await load(f.sandbox, { ...request, limits: { memoryLimit: 1024 * 1024 } });
  expect(outcome).toEqual({
    ok: false,
    error: { code: 'out-of-memory', message: 'The load exceeded its memory limit. Load less data at a time.' },
  });
});

test('a cancelled load leaves nothing', async () => {
  const before = await tableFiles();
  const location = joinLocation(f.store.root, 'uploads', 'cancelled');
  await f.store.write(location, Buffer.from('id\n1\n'));
  const source = { files: [{ locations: [location] }], format: 'csv' as const };
  const signal = AbortSignal.abort();
  const outcome = await load(f.sandbox, {
    source,
    fields,
    tableLocation: joinLocation(f.store.root, 'loaded'),
    signal,
  });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await tableFiles()).toEqual(before);
});

test.each(['x', '1', '{'])(
  'NDJSON: a file with nothing but %s is malformed, although the engine sees no row',
  async (text) => {
    expect(await loadText('ndjson', text)).toMatchObject({ ok: false, error: { code: 'file-malformed', line: 1 } });
  },
);
