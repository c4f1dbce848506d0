import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { joinLocation, parseMetadata, type ScanAt, scanFiles } from '@svc/iceberg';
import { ENGINE_TABLES, relocatedStore } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '../storage/index.ts';
import { type QueryOutcome, ResultReader, runQuery, Sandbox } from './index.ts';

const WRITTEN_AT = '/warehouse/java';

let dir: string;
let store: ObjectStore;
let sandbox: Sandbox;
let reader: ResultReader;
beforeAll(async () => {
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'engines-'));
  await fs.cp(ENGINE_TABLES, path.join(dir, 'tables'), { recursive: true });
  store = relocatedStore(await openLocalStore(path.join(dir, 'tables')), WRITTEN_AT);
  reader = new ResultReader(store);
  sandbox = new Sandbox({
    store,
    tempDir: path.join(dir, 'tmp'),
    prefork: 1,
    memoryLimit: 1024 * 1024 * 1024,
    timeoutMs: 60_000,
    threads: 2,
    tempLimit: 200 * 1024 * 1024,
  });
});
afterAll(async () => {
  await reader.close();
  await sandbox.close();
  await fs.rm(dir, { recursive: true, force: true });
});

type Expected = { metadata: string; columns: string[]; rows: unknown[][] };

const expected = async (name: string) =>
  JSON.parse(await fs.readFile(path.join(ENGINE_TABLES, name, 'expected.json'), 'utf8')) as Expected;

let results = 0;

async function query(name: string, sql: string, at: ScanAt = {}): Promise<QueryOutcome & { location: string }> {
  const location = joinLocation(store.root, 'results', `${++results}.parquet`);
  const metadata = parseMetadata(await store.read((await expected(name)).metadata));
  const { schema, ...scan } = await scanFiles(store, metadata, at);
  const outcome = await runQuery(sandbox, {
    sql,
    resolve: async (tables) => tables.map(() => ({ kind: 'managed', fields: schema.fields, ...scan })),
    owner: 'test',
    output: { kind: 'result', location },
  });
  return { ...outcome, location };
}

async function rows(name: string, sql = 'SELECT * FROM t', at: ScanAt = {}) {
  const outcome = await query(name, sql, at);
  if (!outcome.ok) throw new Error(`${name}: ${outcome.error.code}: ${outcome.error.message}`);
  // Rows with NUL are in the file alone.
  const page = outcome.rows ? null : await reader.page(outcome.location, { offset: 0, limit: 10_000 });
  return { columns: outcome.columns.map((c) => c.name), rows: outcome.rows ?? page!.rows };
}

const sorted = (list: readonly (readonly unknown[])[]) => list.map((r) => JSON.stringify(r)).sort();

test.each([
  'version1',
  'evolved',
  'nested',
  'position_deletes',
  'equality_deletes',
  'partitioned_equality',
  'dropped_keys',
  'defaults',
  'specs',
  'types',
  'buckets',
  'truncated',
  'dates',
  'identities',
  'floats',
  'travelled',
  'migrated',
])('%s is read as the engine that wrote it reads it', async (name) => {
  const wanted = await expected(name);
  const got = await rows(name);
  expect(got.columns).toEqual(wanted.columns);
  expect(sorted(got.rows)).toEqual(sorted(wanted.rows));
});

test('deletion vectors hide what they name', async () => {
  const [count, sum] = (await expected('vectors')).rows as unknown as [number, number];
  expect((await rows('vectors', 'SELECT count(*), sum(id)::BIGINT FROM t')).rows).toEqual([[count, sum]]);
});

test('filters find every row and no other', async () => {
  const of = async (name: string, where: string) =>
    (await rows(name, `SELECT id FROM t WHERE ${where} ORDER BY 1`)).rows.flat();
  expect(await of('evolved', 'x > 2')).toEqual([2, 5, 8_589_934_592]);
  expect(await of('migrated', "day = DATE '2024-01-02' AND id IS NOT NULL")).toEqual([3]);
  expect(await of('migrated', 'day IS NULL')).toEqual([5, 6]);
  expect(await of('defaults', 'n = 34')).toEqual([1, 2]);
  expect(await of('equality_deletes', "name = 'again'")).toEqual([3, 5]);
});

test('a manifest names no file of another table', async () => {
  const metadata = parseMetadata(await store.read((await expected('types')).metadata));
  const stolen = { ...metadata, location: 'file:/warehouse/java/version1' };
  await expect(scanFiles(store, stolen)).rejects.toThrow('outside its own folder');
  const above = { ...metadata, location: 'file:/warehouse/java/typ' };
  await expect(scanFiles(store, above)).rejects.toThrow('outside its own folder');
});

test.each([
  ['avro_files', 'AVRO'],
  ['nanoseconds', 'timestamp_ns'],
])('%s is refused by name', async (name, word) => {
  const refused = query(name, 'SELECT * FROM t').then((o) => (o.ok ? 'read' : o.error.message));
  expect(await refused.catch((e: Error) => e.message)).toContain(word);
});
