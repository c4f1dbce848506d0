import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { inTransaction } from '@svc/db/connection';
import { submitMaintenance } from '@svc/db/maintenance';
import { readManifest, readManifestList, readTableMetadata, snapshotOfRef } from '@svc/iceberg';
import { openLocalStore } from '@svc/lake/storage';
import type { MaintainOptions } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
let duckdb: DuckDBInstance;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
  duckdb = await DuckDBInstance.create(':memory:');
});
afterAll(async () => {
  duckdb.closeSync();
  await s.stop();
});

const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'Größe "x"', type: 'string' },
  { name: 'a.b', type: 'double' },
  { name: "o'clock", type: 'timestamp' },
  { name: 'MixedCase', type: 'uuid' },
  { name: 'paid', type: 'boolean' },
  { name: 'place', type: 'struct<city: string>' },
  { name: 'tags', type: 'list<string>' },
];
const ROWS = (from: number, to: number) =>
  `SELECT i AS id, CASE WHEN i % 7 > 0 THEN 'n' || (i * 37 % 1000) END AS "Größe ""x""", i * 31 % 500 / 4.0::DOUBLE AS "a.b",
     TIMESTAMP '2026-01-01' + to_seconds(i * 17 % 4000) AS "o'clock", md5(i::VARCHAR)::UUID AS "MixedCase",
     i % 2 = 0 AS paid, {city: 'c' || i} AS place, ['t'] AS tags FROM range(${from}, ${to}) r(i)`;

const create = (table: string) => s.client.tables.create('dev', `shop.${table}`, { kind: 'managed', columns: COLUMNS });
const append = (table: string, sql: string) =>
  s.client.queries.run('dev', sql, { into: `shop.${table}`, mode: 'append' });

async function maintain(table: string, options: MaintainOptions) {
  const { id } = await s.client.tables.maintain('dev', `shop.${table}`, { compact: true, ...options });
  return s.client.maintenance.wait('dev', id);
}

async function local(sql: string): Promise<unknown[][]> {
  const connection = await duckdb.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJson();
  connection.closeSync();
  return rows;
}

/** The data files of a table's current snapshot, each with the order that it names. */
async function filesOf(table: string) {
  const store = await openLocalStore(join(s.folder, 'home', 'warehouse'));
  const row = await s.database.db.prisma.table.findFirstOrThrow({ where: { name: table } });
  const metadata = await readTableMetadata(store, row.metadata_location!);
  const manifests = await readManifestList(store, snapshotOfRef(metadata, 'main'));
  const entries = (await Promise.all(manifests.map((m) => readManifest(store, m)))).flatMap((m) => m.entries);
  const files = entries.map(async ({ data_file: file }) => ({
    path: await store.localPath(file.file_path),
    order: metadata['sort-orders'].find((o) => o['order-id'] === file.sort_order_id)!.fields,
  }));
  return { metadata, files: await Promise.all(files) };
}

/** Number of neighbouring rows of a file that are in the wrong order. */
async function disorderOf(path: string, column: string): Promise<unknown> {
  const name = `"${column.replaceAll('"', '""')}"`;
  const [[found]] = (await local(
    `SELECT count(*) FILTER (next < ${name} OR (${name} IS NULL AND next IS NOT NULL)) FROM (
       SELECT ${name}, lead(${name}) OVER (ORDER BY file_row_number) AS next
       FROM read_parquet('${path}', file_row_number = true, hive_partitioning = false))`,
  )) as [unknown[]];
  return found;
}

const filtered = (path: string) =>
  local(
    `SELECT DISTINCT path_in_schema FROM parquet_metadata('${path}') WHERE bloom_filter_offset IS NOT NULL ORDER BY 1`,
  );

/** A commit as an engine makes it through the catalog interface. */
async function commit(table: string, updates: object[]): Promise<void> {
  const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/shop/tables/${table}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ requirements: [], updates }),
  });
  expect(response.status).toBe(200);
}

test.each(['id', 'Größe "x"', 'a.b', "o'clock", 'MixedCase', 'paid'])('rows are sorted by %s', async (column) => {
  const table = `by_${COLUMNS.findIndex(({ name }) => name === column)}`;
  await create(table);
  for (const from of [0, 300, 600]) await append(table, ROWS(from, from + 300));
  const sql = `SELECT * FROM shop.${table} ORDER BY id`;
  const before = await rowsOf(s.client, 'dev', sql);
  expect(await maintain(table, { sortBy: [column.toLowerCase()] })).toMatchObject({
    status: 'succeeded',
    compact: true,
    sort_by: [column],
    bloom_filters: [],
    result: { compacted_files: 3, new_files: 1 },
  });
  const { metadata, files } = await filesOf(table);
  const source = metadata.schemas[0]!.fields.find(({ name }) => name === column)!.id;
  const order = [{ transform: 'identity', 'source-id': source, direction: 'asc', 'null-order': 'nulls-last' }];
  expect(files.map((file) => file.order)).toEqual([order]);
  expect(await disorderOf(files[0]!.path, column)).toBe('0');
  expect(metadata['default-sort-order-id']).toBe(0);
  expect(await rowsOf(s.client, 'dev', sql)).toEqual(before);
});

test('files that are sorted already stay, and new ones are sorted with the small ones', async () => {
  await create('again');
  await append('again', ROWS(0, 100));
  const sorted = { result: { compacted_files: 1, new_files: 1 } };
  expect(await maintain('again', { sortBy: ['a.b', 'id'] })).toMatchObject(sorted);
  expect(await maintain('again', { sortBy: ['a.b', 'id'] })).toMatchObject({ result: { compacted_files: 0 } });
  expect(await maintain('again', { sortBy: ['id'] })).toMatchObject(sorted);
  await append('again', ROWS(100, 200));
  expect(await maintain('again', { sortBy: ['id'] })).toMatchObject({ result: { compacted_files: 2, new_files: 1 } });
  const { files } = await filesOf('again');
  expect(await disorderOf(files[0]!.path, 'id')).toBe('0');
});

test('bloom filters are for the named columns too if all their values differ', async () => {
  await create('filtered');
  await append('filtered', ROWS(0, 30_000));
  await append('filtered', ROWS(30_000, 60_000));
  expect((await filtered((await filesOf('filtered')).files[0]!.path)).flat()).not.toContain('id');
  expect(await maintain('filtered', { bloomFilters: ['id', 'mixedcase'] })).toMatchObject({
    status: 'succeeded',
    sort_by: [],
    bloom_filters: ['id', 'MixedCase'],
    result: { compacted_files: 2, new_files: 1 },
  });
  const { files } = await filesOf('filtered');
  expect((await filtered(files[0]!.path)).flat()).toEqual(expect.arrayContaining(['id', 'MixedCase']));
  const probe = await local(`SELECT bloom_filter_excludes FROM parquet_bloom_probe('${files[0]!.path}', 'id', 70001)`);
  expect(probe).toEqual([[true]]);
  expect(await rowsOf(s.client, 'dev', 'SELECT id FROM shop.filtered WHERE id = 31234')).toEqual([[31234]]);
  expect(await maintain('filtered', { bloomFilters: ['id'] })).toMatchObject({ result: { compacted_files: 0 } });
});

test("compaction writes the bloom filters that a table's properties request", async () => {
  await create('properties');
  for (const from of [0, 20_000]) await append('properties', ROWS(from, from + 20_000));
  const key = 'write.parquet.bloom-filter-enabled.column';
  const updates = { [`${key}.id`]: 'true', [`${key}.paid`]: 'true', [`${key}.gone`]: 'true' };
  await commit('properties', [{ action: 'set-properties', updates }]);
  expect(await maintain('properties', {})).toMatchObject({ result: { compacted_files: 2, new_files: 1 } });
  const { files } = await filesOf('properties');
  expect((await filtered(files[0]!.path)).flat()).toContain('id');
});

test('every partition is sorted, regardless of the order of the table', async () => {
  const schema = {
    type: 'struct',
    'schema-id': 0,
    fields: ['id', 'kind', 'at'].map((name, i) => ({ id: i + 1, name, required: false, type: 'long' })),
  };
  const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/shop/tables`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'parts',
      schema,
      'partition-spec': {
        'spec-id': 0,
        fields: [{ name: 'kind', transform: 'identity', 'source-id': 2, 'field-id': 1000 }],
      },
      'write-order': {
        'order-id': 1,
        fields: [{ transform: 'identity', 'source-id': 1, direction: 'desc', 'null-order': 'nulls-first' }],
      },
    }),
  });
  expect(response.status).toBe(200);
  const rows = (from: number) =>
    `SELECT i AS id, i % 3 AS kind, i * 7919 % 1000 AS "at" FROM range(${from}, ${from + 300}) r(i)`;
  for (const from of [0, 300]) await append('parts', rows(from));
  expect(await maintain('parts', {})).toMatchObject({ result: { compacted_files: 6, new_files: 3 } });
  expect((await filesOf('parts')).files.map(({ order }) => order[0]!.direction)).toEqual(['desc', 'desc', 'desc']);
  expect(await maintain('parts', { sortBy: ['at'] })).toMatchObject({ result: { compacted_files: 3, new_files: 3 } });
  const { metadata, files } = await filesOf('parts');
  expect(metadata['default-sort-order-id']).toBe(1);
  for (const { path, order } of files) {
    expect(order).toMatchObject([{ 'source-id': 3, direction: 'asc', 'null-order': 'nulls-last' }]);
    expect(await disorderOf(path, 'at')).toBe('0');
  }
  expect(await rowsOf(s.client, 'dev', 'SELECT count(*), sum(id) FROM shop.parts')).toEqual([[600, '179700']]);
});

test('a renamed column is known by its new name, and files with the former one are sorted', async () => {
  await s.client.tables.create('dev', 'shop.renamed', { kind: 'managed', columns: COLUMNS.slice(0, 1) });
  await append('renamed', 'SELECT 1000 - i AS id FROM range(1000) r(i)');
  const fields = [{ id: 1, name: 'number', required: false, type: 'long' }];
  await commit('renamed', [
    { action: 'add-schema', 'last-column-id': 1, schema: { type: 'struct', 'schema-id': 1, fields } },
    { action: 'set-current-schema', 'schema-id': -1 },
  ]);
  const former = await s.call('POST', '/environments/dev/namespaces/shop/tables/renamed/maintenance', {
    body: { compact: true, sort_by: ['id'] },
  });
  expect([former.status, former.body.errors[0].pointer]).toEqual([422, '/sort_by/0']);
  // As if the column was renamed after the request.
  const row = await s.database.db.prisma.table.findFirstOrThrow({ where: { name: 'renamed' } });
  const id = randomUUID();
  const now = new Date();
  const late = { id, environmentId: row.environment_id, tableId: row.id, sortBy: ['id'], now };
  const request = { requestedBy: null, compact: true, expireDays: null, requestId: null };
  await inTransaction(s.database.db, (tx) => submitMaintenance(tx, { ...late, ...request }));
  expect(await s.client.maintenance.wait('dev', id)).toMatchObject({
    status: 'failed',
    error: { code: 'not-supported', detail: expect.stringContaining('no top-level column "id"') },
  });
  expect(await maintain('renamed', { sortBy: ['number'] })).toMatchObject({ result: { new_files: 1 } });
  const { files } = await filesOf('renamed');
  expect(await disorderOf(files[0]!.path, 'number')).toBe('0');
});

test('rows that are appended during a sort stay', async () => {
  await create('busy');
  for (const from of [0, 100, 200]) await append('busy', ROWS(from, from + 100));
  const appended = [append('busy', ROWS(300, 400)), append('busy', ROWS(400, 500))];
  const sorted = [maintain('busy', { sortBy: ['a.b'], bloomFilters: ['id'] }), maintain('busy', { sortBy: ['id'] })];
  expect((await Promise.all(sorted)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  await Promise.all(appended);
  expect(await rowsOf(s.client, 'dev', 'SELECT count(*), count(DISTINCT id) FROM shop.busy')).toEqual([[500, 500]]);
});

test('an empty table needs nothing', async () => {
  await create('empty');
  expect(await maintain('empty', { sortBy: ['id'], bloomFilters: ['id'] })).toMatchObject({
    status: 'succeeded',
    result: { compacted_files: 0, new_files: 0, snapshot_id: null },
  });
});

describe('a request is rejected', () => {
  const send = (table: string, body: object) =>
    s.call('POST', `/environments/dev/namespaces/shop/tables/${table}/maintenance`, { body });

  test.each([
    [{ sort_by: ['id'] }, '/sort_by', 'Set compact to true'],
    [{ compact: false, bloom_filters: ['id'] }, '/bloom_filters', 'Set compact to true'],
    [{ compact: true, sort_by: [] }, '/sort_by', 'at least one column'],
    [{ compact: true, sort_by: 'abcdefghi'.split('') }, '/sort_by', 'at most 8 columns'],
    [{ compact: true, sort_by: ['id', 'id'] }, '/sort_by', 'each column once'],
    [{ compact: true, sort_by: ['id', 'ID'] }, '/sort_by/1', 'the column "id" twice'],
    [{ compact: true, sort_by: ['id', 'nope'] }, '/sort_by/1', 'no top-level column "nope"'],
    [{ compact: true, sort_by: ['place.city'] }, '/sort_by/0', 'no top-level column "place.city"'],
    [{ compact: true, sort_by: ['place'] }, '/sort_by/0', 'struct<city: string>, which has no order'],
    [{ compact: true, bloom_filters: ['tags'] }, '/bloom_filters/0', 'list<string>'],
    [{ compact: true, bloom_filters: ['paid'] }, '/bloom_filters/0', 'boolean'],
    [{ compact: true, bloom_filters: ['id"; DROP TABLE x; --'] }, '/bloom_filters/0', 'no top-level column'],
  ])('%j: %s', async (body, pointer, message) => {
    const { status, body: problem } = await send('empty', body);
    expect([status, problem.errors[0].pointer]).toEqual([422, pointer]);
    expect(problem.errors[0].message).toContain(message);
  });

  test('for an external table, as before', async () => {
    await mkdir(join(s.folder, 'external', 'clicks'), { recursive: true });
    await writeFile(join(s.folder, 'external', 'clicks', 'a.csv'), 'id\n1\n');
    await s.client.tables.create('dev', 'shop.clicks', {
      kind: 'external',
      format: 'csv',
      location: join(s.folder, 'external', 'clicks'),
      columns: [{ name: 'id', type: 'long' }],
    });
    expect((await send('clicks', { compact: true, sort_by: ['id'] })).body.code).toBe('not-a-managed-table');
  });
});
