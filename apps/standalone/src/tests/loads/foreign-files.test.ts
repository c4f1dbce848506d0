import { copyFile, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DataFileRecord, parseMetadata, prepareSnapshot, scanFiles, type TableMetadata } from '@svc/iceberg';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { loadInto, makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

// An engine that may write to a table can name any file in its manifests, including files of other tables.
let s: TestService;
let store: ObjectStore;
let own: string;
let records = 0;
beforeAll(async () => {
  s = await startTestService();
  store = await openLocalStore(`${s.folder}/home/warehouse`);
  await makeOrders(s.client, 'dev');
  await loadInto(s.client, { env: 'dev', table: 'shop.orders' }, { format: 'csv', data: 'id,buyer\n1,Ann\n' });
  const metadata = await load();
  [own] = (await scanFiles(store, metadata)).files.map((file) => file.location) as [string];
});
afterAll(() => s.stop());

const request = (method: string, body?: unknown) =>
  fetch(`${s.url}/catalog/v1/dev/namespaces/shop/tables/orders`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const load = async (): Promise<TableMetadata> => {
  const { metadata } = (await (await request('GET')).json()) as { metadata: object };
  return parseMetadata(JSON.stringify(metadata));
};

const ids = { uuid: () => crypto.randomUUID(), snapshotId: () => 1_000_000 + ++records };

/** Appends a file as an engine does. */
async function append(file_path: string): Promise<void> {
  const file: DataFileRecord = {
    content: 0,
    file_path,
    file_format: 'PARQUET',
    partition: {},
    record_count: 1n,
    file_size_in_bytes: 500n,
    column_sizes: null,
    value_counts: null,
    null_value_counts: null,
    nan_value_counts: null,
    lower_bounds: null,
    upper_bounds: null,
    key_metadata: null,
    split_offsets: null,
    equality_ids: null,
    sort_order_id: 0,
  };
  const metadata = await load();
  const { requirements, updates } = await prepareSnapshot({
    store,
    metadata,
    files: [file],
    mode: 'append',
    now: Date.now(),
    ids,
  });
  expect((await request('POST', { requirements, updates })).status).toBe(200);
}

async function rollBack(): Promise<void> {
  const { snapshots } = await load();
  const first = String(snapshots[0]!['snapshot-id']);
  await s.client.tables.rollback('dev', 'shop.orders', first);
}

const orders = () => rowsOf(s.client, 'dev', 'SELECT id FROM shop.orders ORDER BY id');

/** The query fails at its first attempt, with this message. */
async function expectRefused(detail: string): Promise<void> {
  const query = await s.client.queries.submit('dev', 'SELECT id FROM shop.orders');
  await expect(s.client.queries.wait('dev', query.id)).resolves.toMatchObject({
    status: 'FAILED',
    error: { code: 'execution-error', detail: expect.stringContaining(detail) },
  });
  const [row] = await s.database.db.prisma.$queryRaw<{ attempts: number }[]>`
    SELECT attempts FROM queries WHERE id = ${query.id}::uuid`;
  expect(row!.attempts).toBe(1);
}

test('a table nested in the folder of another is not read through that one', async () => {
  await makeOrders(s.client, 'other', 'shop.secrets');
  await loadInto(s.client, { env: 'other', table: 'shop.secrets' }, { format: 'csv', data: 'id\n42\n' });
  const { location } = await load();
  const inner = `${location}/inner`;
  // An engine can choose such a location.
  await s.database.db.prisma.$executeRaw`UPDATE tables SET location = ${inner} WHERE name = 'secrets'`;
  const file = `${inner}/data/0.parquet`;
  await mkdir(path.dirname(fileURLToPath(file)), { recursive: true });
  await copyFile(fileURLToPath(own), fileURLToPath(file));
  await append(file);
  await expectRefused('refers to a file of another table');
  await rollBack();
  expect(await orders()).toEqual([[1]]);
  // The same file belongs to a table that isn't nested.
  await s.database.db.prisma.$executeRaw`UPDATE tables SET location = ${`${location}-moved`} WHERE name = 'secrets'`;
  await append(file);
  expect(await orders()).toEqual([[1], [1]]);
  await rollBack();
});

test.each([
  ['dot segments', (data: string) => `${data}/../data/x.parquet`],
  ['escaped dot segments', (data: string) => `${data}/%2e%2E/data/x.parquet`],
  ['escaped slashes', (data: string) => `${data}/x%2f..%2fx.parquet`],
])('a file named with %s is a refusal of the query', async (_what, named) => {
  await append(named(own.replace(/\/[^/]+$/, '')));
  await expectRefused('"." or ".." segments');
  await rollBack();
  expect(await orders()).toEqual([[1]]);
});

test('a link is a refusal of the query, and so is a file that is gone', async () => {
  const link = own.replace(/[^/]+$/, 'link.parquet');
  await symlink('/etc/passwd', fileURLToPath(link));
  await append(link);
  await expectRefused('is a link');
  await rollBack();
  await append(own.replace(/[^/]+$/, 'gone.parquet'));
  await expectRefused('no longer exists');
  await rollBack();
  expect(await orders()).toEqual([[1]]);
});

test('responses of the catalog about a table are never cached', async () => {
  const response = await request('GET');
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
});
