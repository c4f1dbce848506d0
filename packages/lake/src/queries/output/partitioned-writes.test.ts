import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  applyUpdates,
  currentSchema,
  type DataFileRecord,
  type LiveEntry,
  parseMetadata,
  prepareSnapshot,
  readManifest,
  readManifestList,
  scanFiles,
  snapshotOfRef,
  type TableMetadata,
  writeLayout,
} from '@svc/iceberg';
import { countingIds, ENGINE_TABLES, type PartitionValue, relocatedStore, tupleKey } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '../../storage/index.ts';
import { runQuery, Sandbox } from '../index.ts';

let dir: string;
let store: ObjectStore;
let sandbox: Sandbox;
const ids = countingIds(5_000_000);
beforeAll(async () => {
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'partitions-'));
  await fs.cp(ENGINE_TABLES, path.join(dir, 'tables'), { recursive: true });
  store = relocatedStore(await openLocalStore(path.join(dir, 'tables')), '/warehouse/java');
  const limits = { memoryLimit: 2 ** 30, timeoutMs: 60_000, threads: 2, tempLimit: 200 * 1024 * 1024 };
  sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 1, ...limits });
});
afterAll(async () => {
  await sandbox.close();
  await fs.rm(dir, { recursive: true, force: true });
});

async function metadataOf(name: string): Promise<TableMetadata> {
  const { metadata } = JSON.parse(await fs.readFile(path.join(ENGINE_TABLES, name, 'expected.json'), 'utf8')) as {
    metadata: string;
  };
  return parseMetadata(await store.read(metadata));
}

/** Runs a query over a table and writes its rows as new files for that table. */
async function write(metadata: TableMetadata, sql: string): Promise<DataFileRecord[]> {
  const { schema, ...scan } = await scanFiles(store, metadata);
  const { fields } = schema;
  const outcome = await runQuery(sandbox, {
    sql,
    resolve: async (tables) => tables.map(() => ({ kind: 'managed', fields, ...scan })),
    owner: 'test',
    output: { kind: 'data-files', tableLocation: metadata.location, fields, layout: writeLayout(metadata, fields) },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return [...outcome.files];
}

async function commit(metadata: TableMetadata, files: DataFileRecord[], mode: 'append' | 'replace') {
  const prepared = await prepareSnapshot({ store, metadata, files, mode, now: 1, ids });
  const applied = applyUpdates(metadata, prepared.requirements, prepared.updates, 1);
  if (!applied.ok) throw new Error(applied.message);
  return applied.metadata;
}

async function entriesOf(metadata: TableMetadata): Promise<LiveEntry[]> {
  const manifests = await readManifestList(store, snapshotOfRef(metadata, 'main'));
  return (await Promise.all(manifests.map((m) => readManifest(store, m)))).flatMap((m) => m.entries);
}

const keyOf = (file: DataFileRecord) => tupleKey(Object.values(file.partition) as PartitionValue[]);

async function read(metadata: TableMetadata, sql: string) {
  const { schema, ...scan } = await scanFiles(store, metadata);
  const outcome = await runQuery(sandbox, {
    sql,
    resolve: async (tables) => tables.map(() => ({ kind: 'managed', fields: schema.fields, ...scan })),
    owner: 'test',
    output: { kind: 'result', location: `${store.root}/results/${ids.uuid()}.parquet` },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.rows!;
}

test.each(['buckets', 'truncated', 'dates', 'identities', 'floats'])(
  '%s: each row goes where the engine puts it',
  async (name) => {
    const metadata = await metadataOf(name);
    const wanted = (await entriesOf(metadata)).map((e) => keyOf(e.data_file)).sort();
    const files = await write(metadata, 'SELECT * FROM t');
    expect(files.map(keyOf).sort()).toEqual(wanted);
    const replaced = await commit(metadata, files, 'replace');
    const [before, after] = [await read(metadata, 'FROM t ORDER BY id'), await read(replaced, 'FROM t ORDER BY id')];
    expect(after).toEqual(before);
    const summaries = (await readManifestList(store, snapshotOfRef(replaced, 'main')))[0]!.partitions!;
    expect(summaries.map((s) => s.contains_null)).toContain(true);
  },
);

test('a table of several specs: new rows go under the newest, sorted, and replace leaves nothing of the others', async () => {
  const metadata = await metadataOf('specs');
  const more = await write(
    metadata,
    'SELECT id + 100 AS id, "at", coalesce(name, \'x\') || id AS name FROM t ORDER BY id DESC',
  );
  expect(more.map((f) => f.spec_id)).toEqual(more.map(() => metadata['default-spec-id']));
  expect(more.every((f) => f.sort_order_id === metadata['default-sort-order-id'])).toBe(true);
  const appended = await commit(metadata, more, 'append');
  expect(await read(appended, 'SELECT count(*), count(DISTINCT id) FROM t')).toEqual([[14, 14]]);
  const replaced = await commit(appended, await write(appended, 'SELECT * FROM t WHERE id > 3'), 'replace');
  expect((await entriesOf(replaced)).every((e) => 'odd_x20name_x21' in e.data_file.partition)).toBe(true);
  expect(await read(replaced, 'SELECT count(*) FROM t')).toEqual([[11]]);
});

test('version 1 becomes version 2 at the first write, and keeps its rows', async () => {
  const metadata = await metadataOf('version1');
  const files = await write(metadata, "SELECT 10 AS id, 'eu' AS region, 1 AS total, NULL AS note");
  const after = await commit(metadata, files, 'append');
  expect(after['format-version']).toBe(2);
  expect(await read(after, 'SELECT id FROM t ORDER BY 1')).toEqual([[1], [3], [4], [5], [10]]);
  const lists = await readManifestList(store, snapshotOfRef(after, 'main'));
  expect(lists.every((m) => m.added_files_count !== null && m.existing_rows_count !== null)).toBe(true);
});

test('version 3: rows get ids in turn, deletion vectors stay in force', async () => {
  const metadata = await metadataOf('vectors');
  const [[count]] = (await read(metadata, 'SELECT count(*) FROM t')) as [[number]];
  const after = await commit(metadata, await write(metadata, "SELECT 1 AS id, 'eu' AS region"), 'append');
  expect(await read(after, 'SELECT count(*) FROM t')).toEqual([[count + 1]]);
  const next = Number(metadata['next-row-id']);
  expect(after['next-row-id']).toBe(next + 1);
  expect((await entriesOf(after)).find((e) => e.data_file.first_row_id === BigInt(next))?.data_file.record_count).toBe(
    1n,
  );
});

test('version 3: a column left out gets its default', async () => {
  const metadata = await metadataOf('defaults');
  const after = await commit(metadata, await write(metadata, 'SELECT 9 AS id'), 'append');
  expect(await read(after, 'SELECT n, t, d, m, b, s FROM t WHERE id = 9')).toEqual([
    [34, "it's", '2020-02-29', '14.20', 'AP8=', null],
  ]);
});

test('schema sources that the rows lack, and too odd names, are errors', async () => {
  const metadata = await metadataOf('buckets');
  const { fields } = currentSchema(metadata);
  expect(() => writeLayout(metadata, fields.slice(0, 3))).toThrow('partitioned by');
});
