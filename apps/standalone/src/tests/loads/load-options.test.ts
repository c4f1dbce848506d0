import { rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { CsvOptions, LoadOptions, NamedFile, SvcClient } from '@svc/sdk';
import { bytesOf, makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const TABLE = '/environments/dev/namespaces/shop/tables/orders';
let s: TestService;

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
});
afterAll(() => s.stop());

const file = (name: string, content: string | Buffer): NamedFile => {
  const bytes = Buffer.from(content);
  const slice = (start: number, end: number) => ({
    async *stream() {
      yield bytes.subarray(start, end);
    },
  });
  return { name, size: bytes.length, slice };
};

async function load(rows: string | Buffer | NamedFile[], options: Omit<LoadOptions, 'format'> = {}) {
  const all: LoadOptions = { format: 'csv', mode: 'replace', ...options };
  const { id } = Array.isArray(rows)
    ? await s.client.tables.loadFiles('dev', 'shop.orders', rows, all)
    : await s.client.tables.load('dev', 'shop.orders', rows, all);
  return s.client.writes.wait('dev', id);
}

const rows = () => rowsOf(s.client, 'dev', 'SELECT id, buyer, amount, day FROM shop.orders ORDER BY id');
const rejectedOf = async (id: string, client: SvcClient = s.client) =>
  (await bytesOf(await client.writes.rejected('dev', id))).toString();

describe('options of CSV (TABLE-15)', () => {
  const european = '1;Ann;12,50;31.12.2025\n2;n/a;0,5;n/a\n';
  const csv: CsvOptions = {
    ...{ delimiter: ';', header: false, null_text: 'n/a', date_format: '%d.%m.%Y' },
    decimal_separator: ',',
  };

  test('are applied to a load and returned with it', async () => {
    expect(await load(european, { csv })).toMatchObject({
      ...{ status: 'succeeded', rows: 2, rejected: null },
      csv: { ...csv, quote: '"', timestamp_format: null, encoding: 'utf-8' },
    });
    expect(await rows()).toEqual([
      [1, 'Ann', '12.50', '2025-12-31'],
      [2, null, '0.50', null],
    ]);
    expect(await load('id,buyer\n7,Eve\n')).toMatchObject({ status: 'succeeded', csv: { delimiter: ',' } });
  });

  test('are detected on request, for a table and for a new one', async () => {
    const text = gzipSync(Buffer.from('\ufeffid;buyer\n1;Zoë\n', 'utf16le'));
    const found = { delimiter: ';', header: true, encoding: 'utf-16' };
    expect(await load(text, { csv: { detect: true } })).toMatchObject({ status: 'succeeded', csv: found });
    expect(await rows()).toEqual([[1, 'Zoë', null, null]]);
    const as = { format: 'csv', csv: { detect: true, decimal_separator: ',' } } as const;
    const inferred = await s.client.tables.infer('dev', 'shop', 'when;what\n2026-01-02;1,5\n', as);
    expect(inferred).toMatchObject({
      columns: [{ name: 'when', type: 'date' }, { name: 'what' }],
      csv: { delimiter: ';', decimal_separator: ',' },
    });
  });

  test.each([
    [{ delimiter: 'ab' }, 'delimiter'],
    [{ delimiter: '"' }, 'quote'],
    [{ delimiter: '\n' }, 'delimiter'],
    [{ delimiter: '1' }, 'delimiter'],
    [{ null_text: 'a,b' }, 'null_text'],
    [{ header: 'maybe' }, 'header'],
    [{ decimal_separator: ';' }, 'decimal_separator'],
    [{ date_format: '%Y' }, 'date_format'],
    [{ timestamp_format: '%Q' }, 'timestamp_format'],
    [{ encoding: 'ebcdic' }, 'encoding'],
    [{ on_error: 'ignore' }, 'on_error'],
    [{ max_errors: '5' }, 'max_errors'],
    [{ on_error: 'skip', max_errors: '-1' }, 'max_errors'],
    [{ on_error: 'skip', max_errors: '1e3' }, 'max_errors'],
  ])('%j is refused before the first byte', async (fields, parameter) => {
    const query = new URLSearchParams(fields as Record<string, string>);
    const { status, body } = await s.call('POST', `${TABLE}/writes?${query}`, {
      raw: { type: 'text/csv', data: 'id\n1\n' },
    });
    expect([status, body.errors?.[0]?.parameter]).toEqual([422, parameter]);
  });

  test('options of another format are refused', async () => {
    const send = (query: string, type: string) =>
      s.call('POST', `${TABLE}/writes?${query}`, { raw: { type, data: 'x' } });
    const problem = async (query: string, type: string) => (await send(query, type)).body.errors?.[0];
    const ndjson = 'application/x-ndjson';
    expect(await problem('delimiter=;', ndjson)).toEqual({ parameter: 'delimiter', message: 'is only valid for CSV' });
    expect(await problem('on_error=skip', 'application/vnd.apache.parquet')).toMatchObject({ parameter: 'on_error' });
  });
});

describe('several files (TABLE-16)', () => {
  test('are loaded in one commit', async () => {
    const before = (await s.client.tables.snapshots('dev', 'shop.orders')).length;
    const files = [file('a.csv', 'id,buyer\n1,a\n'), file('b.csv.gz', gzipSync('buyer,id\nb,2\n'))];
    expect(await load(files)).toMatchObject({ status: 'succeeded', rows: 2 });
    expect((await rows()).map((row) => row.slice(0, 2))).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect((await s.client.tables.snapshots('dev', 'shop.orders')).length).toBe(before + 1);
  });

  test('fail together, and the error names the file', async () => {
    const before = await rows();
    const write = await load([file('a.csv', 'id\n1\n'), file('b.csv', 'id\nx\n')]);
    const detail = 'b.csv: Line 2, column "id": "x" isn\'t a valid long.';
    expect(write).toMatchObject({ status: 'failed', error: { code: 'wrong-value', detail } });
    const merged = await load([file('a.csv', 'id,buyer\n1,x\n'), file('b.csv', 'id\n2\n')], {
      ...{ mode: 'merge', key: ['id'] },
    });
    expect(merged).toMatchObject({ status: 'failed', error: { code: 'missing-column' } });
    expect(await rows()).toEqual(before);
    while ((await s.stored('staged')).length > 0) await new Promise(setImmediate);
  });

  test('only complete uploads of the requester to the same table can be loaded together', async () => {
    await s.client.tables.create('dev', 'shop.other', { columns: [{ name: 'id', type: 'long' }] });
    const start = async (format: 'csv' | 'ndjson', table = 'shop.orders') =>
      (await s.client.uploads.create('dev', table, { format, size: 5, name: 'more.csv' })).id;
    const send = (id: string) => s.client.uploads.putPart('dev', 'shop.orders', id, 1, Buffer.from('id\n1\n'));
    const first = await start('csv');
    await send(first);
    const finish = async (also: string[]) => {
      const { status, body } = await s.call('POST', `${TABLE}/uploads/${first}/writes`, { body: { also } });
      return [status, body.code, body.errors?.[0]?.pointer];
    };
    expect(await finish([await start('csv', 'shop.other')])).toEqual([404, 'not-found', undefined]);
    expect(await finish(['01997c2e-7b7a-7c1e-8000-000000000013'])).toEqual([404, 'not-found', undefined]);
    expect(await finish(['x'])).toEqual([422, 'invalid-request', '/also/0']);
    expect(await finish([first])).toEqual([422, 'invalid-request', '/also']);
    expect(await finish([await start('ndjson')])).toEqual([422, 'invalid-request', '/also']);
    const second = await start('csv');
    expect(await finish([second])).toEqual([409, 'upload-incomplete', undefined]);
    await send(second);
    expect((await finish([second]))[0]).toBe(202);
    // A client that lost the response repeats the request.
    expect((await finish([second]))[0]).toBe(202);
  });
});

describe('lines that are left out (TABLE-17)', () => {
  const text = 'id,buyer\n1,a\nx,b\n3,c\n4\n';

  test('are counted, recorded, and returned to the requester for a day', async () => {
    const write = await load(text, { onError: 'skip' });
    expect(write).toMatchObject({ status: 'succeeded', rows: 2, rejected: 2 });
    expect(await rejectedOf(write.id)).toBe(
      `file,line,column,reason,text\n,3,id,"""x"" isn't a valid long.","x,b"\n` +
        ',5,,"The row has 1 values, but the header has 2 columns.",4\n',
    );
    const events = await s.events('TABLE_WRITE');
    expect(events.at(-1)?.detail).toMatchObject({ rows: 2, rejected: 2 });
    await s.client.principals.create({ name: 'rita', type: 'service-account' });
    const rita = s.clientOf((await s.client.tokens.issue('rita', 'test')).token);
    await expect(rejectedOf(write.id, rita)).rejects.toMatchObject({ status: 403 });
    expect(await s.events('AUTHORIZATION_DENIED')).toMatchObject([{ principal: 'rita' }]);
    const table = { kind: 'TABLE', environment: 'dev', namespace: 'shop', table: 'orders' } as const;
    await s.client.grants.create({ ...table, action: 'READ_TABLE', principal: 'rita' });
    expect(await rita.writes.get('dev', write.id)).toMatchObject({ rejected: 2 });
    await expect(rejectedOf(write.id, rita)).rejects.toMatchObject({ status: 404 });
    for (const path of await s.stored('results')) if (path.includes(write.id)) await rm(path);
    await expect(rejectedOf(write.id)).rejects.toMatchObject({ code: 'result-expired' });
    const clean = await load('id\n1\n', { onError: 'skip' });
    expect(clean).toMatchObject({ rejected: 0 });
    await expect(rejectedOf(clean.id)).rejects.toMatchObject({ status: 404, code: 'not-found' });
  });

  test('more of them than the limit fail the load', async () => {
    const before = await rows();
    expect(await load(text, { onError: 'skip', maxErrors: 1 })).toMatchObject({
      ...{ status: 'failed', rejected: null },
      error: { code: 'too-many-rejected-lines', detail: expect.stringContaining('The first: Line 3, column "id"') },
    });
    expect(await rows()).toEqual(before);
  });

  test('a merge leaves them out, too', async () => {
    await load('id,buyer\n1,a\n');
    const merged = await load('id,buyer\n1,b\nx,c\n2,d\n', { mode: 'merge', key: ['id'], onError: 'skip' });
    expect(merged).toMatchObject({ status: 'succeeded', rows: 2, rejected: 1 });
    expect((await rows()).map((row) => row.slice(0, 2))).toEqual([
      [1, 'b'],
      [2, 'd'],
    ]);
  });
});
