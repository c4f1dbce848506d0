import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type DataFileRecord, parseMetadata, prepareSnapshot, scanFiles } from '@svc/iceberg';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { loadInto, makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

// Ten loads and ten engines write to one table concurrently, each engine as its library does: load, write, commit, and again
// after a conflict.
const at = { env: 'dev', table: 'shop.orders' };
const ENGINES = 10;
const LOADS = 10;
const ROUNDS = 2;
const PATH = '/catalog/v1/dev/namespaces/shop/tables/orders';

let s: TestService;
let store: ObjectStore;
beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
  store = await openLocalStore(`${s.folder}/home/warehouse`);
});
afterAll(() => s.stop());

async function request(method: string, body?: unknown) {
  const response = await fetch(`${s.url}${PATH}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const load = async () => parseMetadata(JSON.stringify(JSON.parse((await request('GET')).text).metadata));

let number = 0;
const ids = {
  uuid: () => crypto.randomUUID(),
  snapshotId: () => 1_000_000 + ++number,
};

/** A new file with the rows of an existing one. */
async function newFile(model: DataFileRecord): Promise<DataFileRecord> {
  const file_path = model.file_path.replace(/[^/]+$/, `${crypto.randomUUID()}.parquet`);
  await copyFile(fileURLToPath(model.file_path), fileURLToPath(file_path));
  return { ...model, file_path };
}

/** One append of an engine; returns the id of its snapshot. */
async function append(file: DataFileRecord): Promise<number> {
  for (;;) {
    const prepared = await prepareSnapshot({
      store,
      metadata: await load(),
      files: [file],
      mode: 'append',
      now: Date.now(),
      ids,
    });
    const { requirements, updates } = prepared;
    const { status, text } = await request('POST', { requirements, updates });
    if (status === 200) return prepared.snapshotId;
    expect([status, JSON.parse(text).error.type]).toEqual([409, 'CommitFailedException']);
  }
}

test('twenty writers on one table: every commit is there, and none twice', async () => {
  await loadInto(s.client, at, { format: 'csv', data: 'id,buyer\n1,Ann\n' });
  const first = await load();
  const [file] = (await scanFiles(store, first)).files;
  const model: DataFileRecord = {
    content: 0,
    file_path: file!.location,
    file_format: 'PARQUET',
    partition: {},
    record_count: 1n,
    file_size_in_bytes: BigInt(file!.bytes),
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
  const engine = async () => {
    const made: number[] = [];
    for (let round = 0; round < ROUNDS; round++) made.push(await append(await newFile(model)));
    return made;
  };
  const loader = () => loadInto(s.client, at, { format: 'csv', data: 'id,buyer\n2,Bob\n' });
  const [engines, loads] = await Promise.all([
    Promise.all(Array.from({ length: ENGINES }, engine)),
    Promise.all(Array.from({ length: LOADS }, loader)),
  ]);
  expect(loads.map(({ status, error }) => [status, error])).toEqual(loads.map(() => ['succeeded', null]));
  const made = engines.flat();
  const history = await s.client.tables.snapshots('dev', 'shop.orders');
  expect(history).toHaveLength(1 + LOADS + made.length);
  expect(new Set(history.map(({ snapshot_id }) => snapshot_id)).size).toBe(history.length);
  expect(history.map(({ snapshot_id }) => Number(snapshot_id))).toEqual(expect.arrayContaining(made));
  expect(
    await rowsOf(s.client, 'dev', 'SELECT id, count(*)::INTEGER FROM shop.orders GROUP BY id ORDER BY id'),
  ).toEqual([
    [1, 1 + made.length],
    [2, LOADS],
  ]);
  expect(await s.events('TABLE_WRITE')).toHaveLength(history.length);
});
