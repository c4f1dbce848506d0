import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  applyUpdates,
  type CompactionPlan,
  currentSchema,
  type DataFileRecord,
  lineageOf,
  parseMetadata,
  planCompaction,
  prepareRewrite,
  scanFiles,
  snapshotById,
  type TableMetadata,
  withoutLineage,
  writeLayout,
} from '@svc/iceberg';
import { countingIds, ENGINE_TABLES, relocatedStore } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '../storage/index.ts';
import { type Relation, runQuery, Sandbox } from './index.ts';

const ids = countingIds(7_000_000);

let dir: string;
let store: ObjectStore;
let sandbox: Sandbox;
beforeAll(async () => {
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'compaction-'));
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

async function run(relation: Relation, sql: string) {
  const outcome = await runQuery(sandbox, {
    sql,
    resolve: async (tables) => tables.map(() => relation),
    owner: 'test',
    output: { kind: 'result', location: `${store.root}/results/${ids.uuid()}.parquet` },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.rows!.map((row) => JSON.stringify(row)).sort();
}

async function read(metadata: TableMetadata, sql = 'FROM t') {
  const { schema, ...scan } = await scanFiles(store, metadata);
  return run({ kind: 'managed', fields: schema.fields, ...scan }, sql);
}

async function rewrite(
  metadata: TableMetadata,
  plan: CompactionPlan,
  fields = currentSchema(metadata).fields,
): Promise<readonly DataFileRecord[]> {
  const outcome = await runQuery(sandbox, {
    sql: 'SELECT * FROM t',
    resolve: async (tables) => tables.map(() => ({ kind: 'managed', fields, files: plan.files, ...plan.reading })),
    owner: 'test',
    output: { kind: 'data-files', tableLocation: metadata.location, fields, layout: writeLayout(metadata, fields) },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.files;
}

/** Commits the new files on a state of the table; null when they no longer fit it. */
async function commit(metadata: TableMetadata, plan: CompactionPlan, files: readonly DataFileRecord[]) {
  const removed = new Set(plan.files.map((f) => f.location));
  const prepared = await prepareRewrite({ store, metadata, base: plan.base, removed, files, mergeAt: 2, now: 1, ids });
  if (prepared === null) return null;
  const applied = applyUpdates(metadata, prepared.requirements, prepared.updates, 1);
  if (!applied.ok) throw new Error(applied.message);
  return applied.metadata;
}

test.each(['version1', 'evolved', 'position_deletes', 'equality_deletes', 'partitioned_equality', 'dropped_keys'])(
  '%s: the rows stay as they are, and deletes are done with',
  async (name) => {
    const metadata = await metadataOf(name);
    const before = await read(metadata);
    const plan = (await planCompaction(store, metadata, 2 ** 40))!;
    const after = (await commit(metadata, plan, await rewrite(metadata, plan)))!;
    expect(await read(after)).toEqual(before);
    const { files } = await scanFiles(store, after);
    expect(files.flatMap((f) => f.deletes)).toEqual([]);
    const head = snapshotById(after, after['current-snapshot-id'])!;
    if (name.includes('delet') || name.includes('equal')) expect(head.summary['total-delete-files']).toBe('0');
    expect(Number(head.summary['total-records'])).toBe(before.length);
  },
);

test('rows of format version 3 keep their ids, through one rewrite and the next', async () => {
  const lineage = async (metadata: TableMetadata) => {
    const { schema, files, ...scan } = await scanFiles(store, metadata);
    const fields = [...schema.fields, ...lineageOf(metadata)];
    const inspected = files.map((file) => ({ ...file, sameColumns: false }));
    const sums = ['_row_id', '_last_updated_sequence_number'].map((name) => `sum((id % 1009 + 1) * ${name})::VARCHAR`);
    const sql = `SELECT count(*), count(DISTINCT _row_id), ${sums.join(', ')} FROM t`;
    return run({ kind: 'managed', fields, files: inspected, ...scan }, sql);
  };
  const compacted = async (metadata: TableMetadata) => {
    const plan = (await planCompaction(store, metadata, 2 ** 40))!;
    const fields = [...currentSchema(metadata).fields, ...lineageOf(metadata)];
    const files = plan.files.map((file) => ({ ...file, sameColumns: false }));
    const written = await rewrite(metadata, { ...plan, files }, fields);
    return (await commit(metadata, plan, written.map(withoutLineage)))!;
  };
  const metadata = await metadataOf('vectors');
  expect(metadata['format-version']).toBe(3);
  const before = await lineage(metadata);
  const [rows, ids] = JSON.parse(before[0]!);
  expect(ids).toBe(rows);
  const once = await compacted(metadata);
  expect(await lineage(once)).toEqual(before);
  expect((await scanFiles(store, once)).files.flatMap((file) => file.deletes)).toEqual([]);
  const { files } = await scanFiles(store, once);
  const again = {
    base: snapshotById(once, once['current-snapshot-id'])!,
    schemaId: once['current-schema-id'],
    reading: {},
  };
  const fields = [...currentSchema(once).fields, ...lineageOf(once)];
  const inspected = files.map((file) => ({ ...file, sameColumns: false }));
  const written = await rewrite(once, { ...again, files: inspected }, fields);
  const twice = (await commit(once, { ...again, files }, written.map(withoutLineage)))!;
  expect(await lineage(twice)).toEqual(before);
});

/** The table as of some snapshots ago. */
function earlier(metadata: TableMetadata, back: number): TableMetadata {
  const log = metadata['snapshot-log'];
  const id = log.at(-1 - back)!['snapshot-id'];
  const at = log.findIndex((e) => e['snapshot-id'] === id);
  return {
    ...metadata,
    'current-snapshot-id': id,
    snapshots: metadata.snapshots.filter((s) => log.findIndex((e) => e['snapshot-id'] === s['snapshot-id']) <= at),
    'snapshot-log': log.slice(0, at + 1),
    refs: { main: { 'snapshot-id': id, type: 'branch' } },
  };
}

test('concurrent equality deletes and appends stay in force', async () => {
  const metadata = await metadataOf('partitioned_equality');
  // Read before the last commit, which deletes a key everywhere.
  const before = earlier(metadata, 1);
  const plan = (await planCompaction(store, before, 2 ** 40))!;
  const after = (await commit(metadata, plan, await rewrite(before, plan)))!;
  expect(await read(after)).toEqual(await read(metadata));
});

test('concurrent position deletes win: the rewrite starts again', async () => {
  const metadata = await metadataOf('position_deletes');
  const before = earlier(metadata, 2);
  const plan = (await planCompaction(store, before, 2 ** 40))!;
  expect(await commit(metadata, plan, await rewrite(before, plan))).toBeNull();
});

test('a concurrent rollback wins too', async () => {
  const metadata = await metadataOf('position_deletes');
  const plan = (await planCompaction(store, metadata, 2 ** 40))!;
  expect(await commit(earlier(metadata, 1), plan, await rewrite(metadata, plan))).toBeNull();
});

describe('policies of now on an older version', () => {
  const past = async (policies: object): Promise<Relation> => {
    const metadata = await metadataOf('travelled');
    const snapshotId = metadata.refs['one']!['snapshot-id'];
    const { schema, ...scan } = await scanFiles(store, metadata, { snapshotId });
    const present = currentSchema(metadata).fields;
    return { kind: 'managed', fields: schema.fields, ...scan, present, ...policies };
  };

  test('bind its columns by what they are called now', async () => {
    expect(await run(await past({}), 'SELECT region FROM t')).toEqual(['["first"]']);
    const mask = { column: 'place', expression: "'***'" };
    expect(await run(await past({ masks: [mask] }), 'SELECT region FROM t')).toEqual(['["***"]']);
    expect(await run(await past({ rowFilters: [{ predicate: "place = 'other'" }] }), 'SELECT region FROM t')).toEqual(
      [],
    );
    expect(await run(await past({ rowFilters: [{ predicate: 'more IS NULL' }] }), 'SELECT region FROM t')).toEqual([
      '["first"]',
    ]);
  });

  test('show no column that has since been dropped', async () => {
    const relation = await past({ masks: [{ column: 'id', expression: '0' }] });
    if (relation.kind !== 'managed') throw new Error('a managed table');
    const present = relation.present!.filter((f) => f.name !== 'place');
    await expect(run({ ...relation, present }, 'SELECT id FROM t')).rejects.toThrow('since been dropped');
  });
});
