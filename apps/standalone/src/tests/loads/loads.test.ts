import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcClient } from '@svc/sdk';
import { bytesOf, loadInto, makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const at = { env: 'dev', table: 'shop.orders' };
const ALL = 'SELECT * FROM shop.orders ORDER BY id';
let s: TestService;

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
});
afterAll(() => s.stop());

const state = async () => ({
  snapshots: (await s.client.tables.snapshots('dev', 'shop.orders')).map((snapshot) => snapshot.snapshot_id),
  files: (await s.stored('tables')).sort(),
  staged: await s.stored('staged'),
});

describe('loading', () => {
  test('CSV, NDJSON and Parquet are appended; columns are matched by name (TABLE-6)', async () => {
    const csv = 'amount,id,day,buyer\n12.50,1,2026-01-01,Ann\n,2,,""\n';
    expect(await loadInto(s.client, at, { format: 'csv', data: csv, watermark: '2' })).toMatchObject({
      status: 'succeeded',
      rows: 2,
      mode: 'append',
      table: 'shop.orders',
      error: null,
    });
    const ndjson = '\ufeff{"id": 3, "buyer": "Bob", "amount": "7.00"}\n{"id": 4}\n';
    expect(await loadInto(s.client, at, { format: 'ndjson', data: ndjson })).toMatchObject({ rows: 2 });
    const query = await s.client.queries.submit('dev', 'SELECT id + 4 AS id, buyer, amount, day FROM shop.orders');
    await s.client.queries.wait('dev', query.id);
    const parquet = await bytesOf(await s.client.queries.download('dev', query.id, 'parquet'));
    expect(await loadInto(s.client, at, { format: 'parquet', data: parquet })).toMatchObject({ rows: 4 });
    const first = [
      [1, 'Ann', '12.50', '2026-01-01'],
      [2, '', null, null],
      [3, 'Bob', '7.00', null],
      [4, null, null, null],
    ];
    expect(await rowsOf(s.client, 'dev', ALL)).toEqual([
      ...first,
      ...first.map(([id, ...rest]) => [(id as number) + 4, ...rest]),
    ]);
    expect(await s.client.tables.get('dev', 'shop.orders')).toMatchObject({ kind: 'managed', row_count: 8 });
    expect((await state()).staged).toEqual([]);
  });

  test('replace replaces the old rows, which the old snapshot keeps', async () => {
    const before = await state();
    expect(await loadInto(s.client, at, { format: 'csv', mode: 'replace', data: 'id,buyer\n1,Cem\n' })).toMatchObject({
      status: 'succeeded',
    });
    expect(await rowsOf(s.client, 'dev', 'SELECT id, buyer FROM shop.orders')).toEqual([[1, 'Cem']]);
    const snapshots = await s.client.tables.snapshots('dev', 'shop.orders');
    expect(snapshots.map((snapshot) => snapshot.snapshot_id).slice(1)).toEqual(before.snapshots);
    expect(snapshots.map((snapshot) => snapshot.current)).toEqual([true, ...before.snapshots.map(() => false)]);
  });

  test('each load that changed the table is in the audit log, with its watermark', async () => {
    const events = await s.events('TABLE_WRITE');
    expect(events.map(({ detail }) => [detail['mode'], detail['rows'], detail['watermark']])).toEqual([
      ['append', 2, '2'],
      ['append', 2, null],
      ['append', 4, null],
      ['replace', 1, null],
    ]);
    expect(events[0]).toMatchObject({
      principal: 'admin',
      object: { kind: 'TABLE', environment: 'dev', namespace: 'shop', table: 'orders' },
    });
    const ids = events.map(({ detail }) => detail['snapshot_id']).reverse();
    expect(ids).toEqual((await state()).snapshots);
  });
});

describe('a bad file', () => {
  test.each([
    ['a wrong value', 'csv', 'id,amount\n1,1.00\n2,many\n', ['Line 3', '"amount"', '"many"']],
    ['an unknown column', 'csv', 'id,colour\n1,red\n', ['"colour"', 'id, buyer, amount, day']],
    ['a missing column', 'csv', 'buyer\nAnn\n', ['"id"']],
    ['a null', 'csv', 'id,buyer\n1,Ann\n,Bob\n', ['Line 3', '"id"']],
    ['an open quote', 'csv', 'id,buyer\n1,"Ann\n', ['Line 2']],
    ['broken JSON', 'ndjson', '{"id": 1}\n{"id": \n', ['Line 2']],
    ['a JSON value of a wrong type', 'ndjson', '{"id": 1}\n{"id": true}\n', ['Line 2', '"id"']],
    ['no Parquet', 'parquet', 'PAR1 not really', ['Parquet']],
  ] as const)('%s (%s) is named, and nothing is half written (TABLE-6)', async (_what, format, data, named) => {
    const before = await state();
    for (const mode of ['append', 'replace'] as const) {
      const write = await loadInto(s.client, at, { format, mode, data });
      expect(write).toMatchObject({ status: 'failed', rows: null });
      for (const text of named) expect(write.error?.detail).toContain(text);
      expect(write.error?.remedy).toBe('Correct the file and load it again.');
    }
    expect(await state()).toEqual(before);
  });

  test('an error deep in a large file is found at its line', async () => {
    const before = await state();
    const lines = Array.from({ length: 50_000 }, (_, i) => `${i},Ann ${i}`);
    lines[40_000] = 'x40000,Ann';
    const write = await loadInto(s.client, at, { format: 'csv', data: `id,buyer\n${lines.join('\n')}\n` });
    expect(write.error?.detail).toContain('Line 40002, column "id": "x40000"');
    expect(await state()).toEqual(before);
  });

  test('another media type, mode or parameter is refused before anything is stored', async () => {
    const path = '/environments/dev/namespaces/shop/tables/orders/writes';
    const raw = { type: 'text/csv', data: 'id\n1\n' };
    expect((await s.call('POST', path, { raw: { ...raw, type: 'text/plain' } })).status).toBe(415);
    expect((await s.call('POST', `${path}?mode=create`, { raw })).body).toMatchObject({
      status: 422,
      errors: [{ parameter: 'mode', message: 'must be append, replace or merge' }],
    });
    expect((await s.call('POST', `${path}?moed=append`, { raw })).body.errors[0].parameter).toBe('moed');
    expect((await s.call('POST', path, { raw, token: null })).status).toBe(401);
    expect((await state()).staged).toEqual([]);
  });
});

test('an external table is read where it lies, and is not written (TABLE-1, TABLE-4)', async () => {
  const folder = join(s.folder, 'external');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'rates.csv'), 'currency,rate\nEUR,1.10\nCHF,1.25\n');
  const table = await s.client.tables.create('dev', 'shop.rates', {
    kind: 'external',
    description: null,
    location: `file://${folder}/rates.csv`,
    format: 'csv',
  });
  expect(table).toMatchObject({ kind: 'external', format: 'csv', row_count: null, owner: 'admin' });
  expect(table.columns.map((column) => column.name)).toEqual(['currency', 'rate']);
  expect(await rowsOf(s.client, 'dev', 'SELECT currency, rate FROM shop.rates ORDER BY 1')).toEqual([
    ['CHF', 1.25],
    ['EUR', 1.1],
  ]);
  await expect(s.client.tables.load('dev', 'shop.rates', 'currency\nUSD\n', { format: 'csv' })).rejects.toMatchObject({
    code: 'not-a-managed-table',
  });
  // Nobody owns the files: another table reads them too, and is dropped alone.
  await s.client.tables.create('dev', 'shop.rates_again', {
    kind: 'external',
    description: null,
    location: `file://${folder}/rates.csv`,
    format: 'csv',
  });
  await s.client.tables.delete('dev', 'shop.rates');
  expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM shop.rates_again')).toEqual([[2]]);
  await expect(
    s.client.tables.create('dev', 'shop.passwords', {
      kind: 'external',
      description: null,
      location: 'file:///etc/passwd',
      format: 'csv',
    }),
  ).rejects.toMatchObject({ status: 422 });
});

test('whom a policy of an external table binds cannot create another one with its files (TABLE-8)', async () => {
  const folder = join(s.folder, 'external', 'people');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.csv'), 'id,salary\n1,5000\n');
  const external = (location: string) => ({ kind: 'external', description: null, location, format: 'csv' }) as const;
  await s.client.tables.create('dev', 'shop.people', external(folder));
  await s.client.principals.create({ name: 'masked', type: 'person' });
  await s.client.grants.create({
    ...{ kind: 'ENVIRONMENT', principal: 'masked', role: 'DATA_ENGINEER', environment: 'dev' },
  });
  const masked = s.clientOf((await s.client.tokens.issue('masked', 'test')).token);
  await s.client.columnMasks.create('dev', 'shop.people', {
    ...{ principal: 'masked', column: 'salary', expression: 'NULL' },
  });
  expect(await rowsOf(masked, 'dev', 'SELECT * FROM shop.people')).toEqual([[1, null]]);
  const denied = { status: 403, message: expect.stringContaining('A row filter or column mask applies to you') };
  for (const location of [folder, join(folder, 'a.csv'), join(folder, '*.csv'), join(s.folder, 'external')])
    await expect(masked.tables.create('dev', 'shop.copied', external(location))).rejects.toMatchObject(denied);
  // Nor after its entry in the catalog is gone, and the mask with it.
  await masked.tables.delete('dev', 'shop.people');
  await expect(masked.tables.create('dev', 'shop.copied', external(folder))).rejects.toMatchObject(denied);
  await masked.tables.create('dev', 'shop.rates_of_masked', external(join(s.folder, 'external', 'rates.csv')));
});

test('a merge updates rows by key and appends the others; a key must be complete and unique (TABLE-12)', async () => {
  await s.client.queries.run('dev', "SELECT 1 AS id, 'a' AS shop, 10 AS n UNION ALL SELECT 2, 'a', 20", {
    into: 'shop.stock',
    mode: 'create',
  });
  const merge = async (data: string, key: string[] = ['id'], client = s.client) => {
    const options = { format: 'csv', mode: 'merge', key } as const;
    const { id } = await client.tables.load('dev', 'shop.stock', data, options);
    return s.client.writes.wait('dev', id);
  };
  const stock = () => rowsOf(s.client, 'dev', 'SELECT id, shop, n FROM shop.stock ORDER BY ALL');
  expect(await merge('id,n\n2,21\n3,30\n')).toMatchObject({ status: 'succeeded', mode: 'merge', rows: 2 });
  const expected = [
    [1, 'a', 10],
    [2, 'a', 21],
    [3, null, 30],
  ];
  expect(await stock()).toEqual(expected);
  expect(await merge('id,shop,n\n1,a,11\n1,b,12\n', ['ID', 'shop'])).toMatchObject({ rows: 2 });
  expect(await merge('id,shop,n\n1,a,10\n1,b,0\n', ['id', 'shop'])).toMatchObject({ rows: 2 });
  const failed = (code: string, detail: string) => ({
    status: 'failed',
    error: { code, detail: expect.stringContaining(detail) },
  });
  expect(await merge('id,n\n1,0\n1,0\n')).toMatchObject(failed('ambiguous-change', 'the same key (id)'));
  expect(await merge('id,n\n,0\n')).toMatchObject(failed('ambiguous-change', 'no value in the key'));
  expect(await merge('n\n1\n')).toMatchObject(
    failed('column-mismatch', 'The column "id", which is part of the key, is missing'),
  );
  await expect(merge('id\n1\n', [])).rejects.toMatchObject({
    errors: [{ parameter: 'key', message: 'is required with mode merge, because the table has no identifier fields' }],
  });
  await s.client.rowFilters.create('dev', 'shop.stock', { principal: 'admin', predicate: 'id < 100' });
  expect(await merge('id,n\n1,0\n')).toMatchObject(failed('not-allowed', 'A row filter or column mask'));
  expect((await stock()).length).toBe(4);
});

test('a merge of NDJSON keeps the values of columns that no line has (TABLE-12)', async () => {
  await s.client.queries.run('dev', "SELECT 1 AS id, 'a' AS shop, 10 AS n UNION ALL SELECT 2, 'b', 20", {
    into: 'shop.shelves',
    mode: 'create',
  });
  const merge = async (data: string, options: { onError?: 'skip' } = {}) => {
    const { id } = await s.client.tables.load('dev', 'shop.shelves', data, {
      ...{ format: 'ndjson', mode: 'merge', key: ['id'] },
      ...options,
    });
    return s.client.writes.wait('dev', id);
  };
  const shelves = () => rowsOf(s.client, 'dev', 'SELECT id, shop, n FROM shop.shelves ORDER BY ALL');
  expect(await merge('{"id": 1, "N": 11}\n{"n": null, "id": 3}\n')).toMatchObject({ status: 'succeeded', rows: 2 });
  expect(await merge('{"n": 21, "id": 2}\n{"id": 4}}\n', { onError: 'skip' })).toMatchObject({ rows: 1, rejected: 1 });
  const expected = [
    [1, 'a', 11],
    [2, 'b', 21],
    [3, null, null],
  ];
  expect(await shelves()).toEqual(expected);
  const uneven = {
    code: 'missing-column',
    detail: expect.stringContaining('Only some of the lines have the column "n"'),
  };
  for (const options of [{}, { onError: 'skip' } as const])
    expect(await merge('{"id": 1, "n": 12}\n{"id": 2}\n', options)).toMatchObject({ status: 'failed', error: uneven });
  expect(await merge('')).toMatchObject({ status: 'succeeded', rows: 0 });
  expect(await shelves()).toEqual(expected);
});

test('a running load fails with not-found if its table is dropped (DROP-1)', async () => {
  await s.client.tables.create('dev', 'shop.gone', { columns: [{ name: 'id', type: 'int' }] });
  const rows = Buffer.from(`id\n${'1\n'.repeat(10_000_000)}`);
  const { id } = await s.client.tables.load('dev', 'shop.gone', rows, { format: 'csv' });
  while ((await s.client.writes.get('dev', id)).status === 'queued');
  await s.client.tables.delete('dev', 'shop.gone');
  expect(await s.client.writes.wait('dev', id)).toMatchObject({
    status: 'failed',
    rows: null,
    error: { code: 'not-found', detail: 'The table shop.gone was dropped in the meantime.' },
  });
});

test.each(['deactivated', 'deleted'])('a running load stops if its principal is %s (ACCESS-22)', async (how) => {
  const name = `loader-${how}`;
  await s.client.principals.create({ name, type: 'service-account' });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: name, role: 'DATA_ENGINEER', environment: 'dev' });
  const { token } = await s.client.tokens.issue(name, 'ci');
  const before = await state();
  const rows = Buffer.from(`id\n${'1\n'.repeat(10_000_000)}`);
  const client = new SvcClient({ url: s.url, token });
  const { id } = await client.tables.load('dev', 'shop.orders', rows, { format: 'csv' });
  while ((await s.client.writes.get('dev', id)).status === 'queued');
  await (how === 'deleted' ? s.client.principals.delete(name) : s.client.principals.update(name, { active: false }));
  expect(await s.client.writes.wait('dev', id)).toMatchObject({
    status: 'failed',
    error: { code: 'not-allowed', detail: expect.stringContaining('was deactivated while it was running') },
  });
  expect(await state()).toMatchObject({ snapshots: before.snapshots, staged: [] });
});
