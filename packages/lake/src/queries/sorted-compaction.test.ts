import { DuckDBInstance } from '@duckdb/node-api';
import {
  currentSchema,
  type DataFileRecord,
  fieldsOfColumns,
  filteredByProperties,
  type IcebergField,
  lineageOf,
  planCompaction,
  type RewriteDemand,
  readManifest,
  readManifestList,
  snapshotOfRef,
  sortedLayout,
  type TableMetadata,
  withoutLineage,
  writeLayout,
} from '@svc/iceberg';
import { runQuery } from './index.ts';
import { CompactionFixture, earlier } from './testing/compaction-fixture.ts';

const ALL = 2 ** 40;
let fixture: CompactionFixture;
let duckdb: DuckDBInstance;
beforeAll(async () => {
  fixture = await CompactionFixture.open();
  duckdb = await DuckDBInstance.create(':memory:');
});
afterAll(async () => {
  duckdb.closeSync();
  await fixture.close();
});

/** Rows of the test's own engine. */
async function rowsOf(sql: string): Promise<unknown[][]> {
  const connection = await duckdb.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJson();
  connection.closeSync();
  return rows;
}

async function filesOf(metadata: TableMetadata): Promise<DataFileRecord[]> {
  const manifests = await readManifestList(fixture.store, snapshotOfRef(metadata, 'main'));
  const read = await Promise.all(manifests.map((m) => readManifest(fixture.store, m)));
  return read.flatMap((m) => m.entries.map((e) => e.data_file));
}

/** Rewrites what lacks the demand; null if no file does. */
async function compact(metadata: TableMetadata, demand: RewriteDemand, maxBytes = ALL, base = metadata) {
  const plan = await planCompaction(fixture.store, base, maxBytes, demand);
  if (plan === null) return null;
  const own = currentSchema(base).fields;
  const lineage = lineageOf(base);
  const files = lineage.length === 0 ? plan.files : plan.files.map((file) => ({ ...file, sameColumns: false }));
  const sorted = demand.sortedBy.map((id) => own.find((field) => field.id === id)!);
  const layout = writeLayout(base, own);
  const written = await fixture.rewrite(
    base,
    { ...plan, files },
    {
      fields: [...own, ...lineage],
      layout: sorted.length > 0 ? sortedLayout(layout, sorted) : layout,
      durable: true,
      filtered: demand.filtered,
    },
  );
  return fixture.commit(metadata, plan, written.map(withoutLineage), demand.sortedBy);
}

const lastColumn = (metadata: TableMetadata): IcebergField =>
  currentSchema(metadata).fields.findLast((field) => typeof field.type === 'string')!;

/** The values of a column in a file, in the order of its rows. */
async function columnOf(file: DataFileRecord, name: string): Promise<unknown[]> {
  const path = await fixture.store.localPath(file.file_path);
  const column = `"${name.replaceAll('"', '""')}"`;
  const rows = await rowsOf(`SELECT ${column} FROM read_parquet('${path}', hive_partitioning = false)`);
  return rows.map(([value]) => value);
}

const inOrder = async (values: unknown[]): Promise<unknown[]> => {
  const rows = await rowsOf(`SELECT unnest(${JSON.stringify(values).replaceAll('"', "'")}) ORDER BY 1 NULLS LAST`);
  return rows.map(([value]) => value);
};

test.each(['evolved', 'position_deletes', 'equality_deletes', 'partitioned_equality', 'specs', 'vectors', 'version1'])(
  '%s: every file is sorted and names its order, the rows and the default order stay',
  async (name) => {
    const metadata = await fixture.metadataOf(name);
    const column = lastColumn(metadata);
    const sql =
      name === 'vectors' ? `SELECT count(*), sum(id)::VARCHAR, max("${column.name}")::VARCHAR FROM t` : 'FROM t';
    const before = await fixture.read(metadata, sql);
    const demand = { sortedBy: [column.id], filtered: [] };
    const after = (await compact(metadata, demand))!;
    expect(await fixture.read(after, sql)).toEqual(before);
    expect(after['default-sort-order-id']).toBe(metadata['default-sort-order-id']);
    const { fields, 'order-id': order } = after['sort-orders'].at(-1)!;
    expect(fields).toEqual([
      { transform: 'identity', 'source-id': column.id, direction: 'asc', 'null-order': 'nulls-last' },
    ]);
    const files = await filesOf(after);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect([file.content, file.sort_order_id]).toEqual([0, order]);
      const values = await columnOf(file, column.name);
      expect(values).toEqual(await inOrder(values));
    }
    expect(await compact(after, demand)).toBeNull();
  },
);

test('a renamed column sorts the files that have its former name', async () => {
  const metadata = await fixture.metadataOf('evolved');
  const column = currentSchema(metadata).fields.find((field) => {
    const names = metadata.schemas.flatMap((s) => s.fields.filter((f) => f.id === field.id).map((f) => f.name));
    return new Set(names).size > 1 && typeof field.type === 'string';
  })!;
  const after = (await compact(metadata, { sortedBy: [column.id], filtered: [] }))!;
  for (const file of await filesOf(after)) {
    const values = await columnOf(file, column.name);
    expect(values).toEqual(await inOrder(values));
  }
  expect(await fixture.read(after)).toEqual(await fixture.read(metadata));
});

test('runs with a limit of bytes continue where the last one stopped, and come to an end', async () => {
  const before = await fixture.metadataOf('partitioned_equality');
  const demand = { sortedBy: [lastColumn(before).id], filtered: [currentSchema(before).fields[0]!.id] };
  let metadata = before;
  let runs = 0;
  for (;;) {
    const next = await compact(metadata, demand, 1);
    if (next === null) break;
    metadata = next;
    runs += 1;
    expect(await fixture.read(metadata)).toEqual(await fixture.read(before));
    expect(runs).toBeLessThan(20);
  }
  expect(runs).toBeGreaterThan(1);
  // One order for all of them.
  expect(metadata['sort-orders']).toHaveLength(before['sort-orders'].length + 1);
});

test('appends and equality deletes that are committed during a sort stay in force', async () => {
  const metadata = await fixture.metadataOf('partitioned_equality');
  const demand = { sortedBy: [lastColumn(metadata).id], filtered: [] };
  const after = (await compact(metadata, demand, ALL, earlier(metadata, 1)))!;
  expect(await fixture.read(after)).toEqual(await fixture.read(metadata));
});

test('a table without a snapshot has nothing to sort', async () => {
  const metadata = await fixture.metadataOf('specs');
  const empty = { ...metadata, 'current-snapshot-id': -1, snapshots: [], 'snapshot-log': [], refs: {} };
  expect(await compact(empty, { sortedBy: [1], filtered: [1] })).toBeNull();
});

describe('bloom filters', () => {
  test('are in every row group, and a file that has them is not rewritten for them again', async () => {
    const metadata = await fixture.metadataOf('specs');
    const ids = currentSchema(metadata)
      .fields.filter((field) => field.type === 'long' || field.type === 'string')
      .map(({ id }) => id);
    const after = (await compact(metadata, { sortedBy: [], filtered: ids }))!;
    expect(await fixture.read(after)).toEqual(await fixture.read(metadata));
    const files = await filesOf(after);
    for (const file of files) {
      const path = await fixture.store.localPath(file.file_path);
      // A row group of nulls alone needs no filter.
      const chunks = `FROM parquet_metadata('${path}') WHERE path_in_schema IN ('id', 'name') AND stats_null_count < num_values`;
      const [[count, withFilter]] = (await rowsOf(`SELECT count(*), count(bloom_filter_offset) ${chunks}`)) as [
        string[],
      ];
      expect(Number(count)).toBeGreaterThan(0);
      expect(withFilter).toBe(count);
    }
    expect(await compact(after, { sortedBy: [], filtered: ids.slice(1) })).toBeNull();
    expect(await compact(after, { sortedBy: [], filtered: [...ids, 99] })).not.toBeNull();
  });

  test('are enabled by the properties of a table', async () => {
    const metadata = await fixture.metadataOf('specs');
    const key = 'write.parquet.bloom-filter-enabled.column';
    const properties = { [`${key}.id`]: 'true', [`${key}.a.b`]: 'TRUE', [`${key}.name`]: 'false', [key]: 'true' };
    expect(filteredByProperties({ ...metadata, properties })).toEqual(['id', 'a.b']);
  });
});

test('an engine with several threads writes the rows in order too', async () => {
  const { location } = await fixture.metadataOf('specs');
  const { fields } = fieldsOfColumns([{ name: 'id', type: 'long' }]);
  const rows = 1_000_000;
  const outcome = await runQuery(fixture.sandbox, {
    sql: `SELECT ((i * 7919) % ${rows})::BIGINT AS id FROM range(${rows}) r(i)`,
    resolve: async () => [],
    owner: 'test',
    output: {
      kind: 'data-files',
      tableLocation: location,
      fields,
      layout: sortedLayout({ specId: 0, partition: [], sortOrderId: 0, sort: [] }, fields),
    },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const path = await fixture.store.localPath(outcome.files[0]!.file_path);
  const read = `SELECT id, lag(id) OVER (ORDER BY file_row_number) AS previous FROM read_parquet('${path}', file_row_number = true)`;
  expect(await rowsOf(`SELECT count(*) FILTER (id < previous), count(*) FROM (${read})`)).toEqual([
    ['0', String(rows)],
  ]);
});
