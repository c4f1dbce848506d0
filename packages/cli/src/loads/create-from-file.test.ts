import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';
import { sampleOf } from './table-load.ts';

const COLUMNS = [
  { name: 'id', type: 'long', nullable: true, description: null },
  { name: 'my name', type: 'string', nullable: true, description: null },
];
const table = { namespace: 'shop', name: 'orders', kind: 'managed', expires_soon: false };
const write = {
  id: 'w1',
  table: 'shop.orders',
  mode: 'append',
  status: 'succeeded',
  rows: 2,
  rejected: null,
  progress: null,
  csv: null,
  error: null,
};

let service: ScriptedService;
let folder: string;
let exists: boolean;
beforeEach(async () => {
  exists = false;
  service = await startService(({ method, url }) => {
    if (/\/columns(\?|$)/.test(url)) return { body: { columns: COLUMNS, csv: null } };
    if (/\/writes/.test(url)) return { status: method === 'POST' ? 202 : 200, body: write };
    if (method === 'POST') return { status: 201, body: table };
    return exists
      ? { body: table }
      : { status: 404, body: { type: 'x', title: 'x', status: 404, code: 'not-found', detail: 'There is no table.' } };
  });
  folder = await mkdtemp(join(tmpdir(), 'svc-from-'));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function run(...args: string[]) {
  const ran = await svc(args, { env: { SVC_URL: service.url, SVC_TOKEN: 'svc_pat_x', SVC_ENV: 'dev' } });
  const sent = service.received.map(
    ({ method, url }) => `${method} ${new URL(url, 'http://x').pathname.split('/').slice(5).join('/')}`,
  );
  return { ...ran, sent };
}

async function csv(text: string | Buffer, name = 'orders.csv'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

test('a table is created with the columns of a file, and loaded (CLI-22)', async () => {
  const file = await csv('id,my name\n1,a\n2,b\n');
  const { code, stderr, stdout, sent } = await run(
    'table',
    'create',
    'shop.orders',
    '--from',
    file,
    '--column',
    'ID:int!',
  );
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Created the managed table shop.orders: id int (required), my name string.'),
  });
  expect(stdout).toContain('Loaded 2 rows into shop.orders (append)');
  expect(sent.slice(0, 3)).toEqual([
    'POST namespaces/shop/columns',
    'POST namespaces/shop/tables',
    'POST namespaces/shop/tables/orders/writes',
  ]);
});

test('--infer-only prints the command that creates the table (CLI-22)', async () => {
  const { stdout, sent } = await run(
    'table',
    'create',
    'shop.orders',
    '--from',
    await csv('id,my name\n'),
    '--infer-only',
  );
  expect(stdout).toBe("svc table create shop.orders --env dev --column id:long --column 'my name:string'\n");
  expect(sent).toEqual(['POST namespaces/shop/columns']);
});

test('table load --create creates a table that does not exist (CLI-22)', async () => {
  const file = await csv('id,my name\n1,a\n');
  expect((await run('table', 'load', 'shop.orders', file, '--create')).sent.slice(1, 3)).toEqual([
    'POST namespaces/shop/columns',
    'POST namespaces/shop/tables',
  ]);
  exists = true;
  const again = await run('table', 'load', 'shop.orders', file, '--create');
  expect(again.sent.slice(-3).filter((line) => line.endsWith('/columns'))).toEqual([]);
});

test.each([
  [['table', 'create', 'shop.orders'], 'Add --column NAME:TYPE, or --from FILE.'],
  [['table', 'create', 'shop.orders', '--column', 'a:int', '--delimiter', ';'], '--delimiter is for --from FILE.'],
  [['table', 'create', 'shop.orders', '--from', '/missing.csv'], "The file /missing.csv doesn't exist."],
  [['table', 'create', 'shop.orders', '--from', '/missing.xml'], "Can't detect the format of /missing.xml"],
  [['table', 'load', 'shop.orders', '-', '--format', 'csv', '--create'], "Standard input can't be read twice."],
])('%j is a usage error', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test('a file before the table is a usage error that names the order', async () => {
  const { code, stderr } = await run('table', 'load', await csv('id\n1\n', 'rows.csv'), 'shop.orders');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('rows.csv is a file. The table comes first: svc table load TABLE FILE.'),
  });
});

test('the sample of a file is its first whole lines, the start of a compressed file, or the end of Parquet (CLI-22)', async () => {
  const line = `${'x'.repeat(1023)}\n`;
  const long = await csv(line.repeat(9000), 'long.csv');
  expect((await sampleOf(long, 'csv')).length).toBe(8 * 1024 * 1024);
  const utf16 = await csv(Buffer.from(`\ufeff${line.repeat(5000)}`, 'utf16le'), 'utf16.csv');
  expect((await sampleOf(utf16, 'csv')).length % 2).toBe(0);
  const compressed = gzipSync(line);
  expect(await sampleOf(await csv(compressed, 'long.csv.gz'), 'csv')).toEqual(compressed);
  const parquet = await csv(Buffer.concat([Buffer.alloc(9 * 1024 * 1024), Buffer.from('end')]), 'f.parquet');
  expect((await sampleOf(parquet, 'parquet')).subarray(-3).toString()).toBe('end');
});
