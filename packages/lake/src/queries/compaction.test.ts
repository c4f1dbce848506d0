import {
  currentSchema,
  lineageOf,
  planCompaction,
  scanFiles,
  snapshotById,
  type TableMetadata,
  withoutLineage,
} from '@svc/iceberg';
import type { Relation } from './index.ts';
import { CompactionFixture, earlier } from './testing/compaction-fixture.ts';

let fixture: CompactionFixture;
beforeAll(async () => {
  fixture = await CompactionFixture.open();
});
afterAll(() => fixture.close());

test.each(['version1', 'evolved', 'position_deletes', 'equality_deletes', 'partitioned_equality', 'dropped_keys'])(
  '%s: the rows stay as they are, and deletes are done with',
  async (name) => {
    const metadata = await fixture.metadataOf(name);
    const before = await fixture.read(metadata);
    const plan = (await planCompaction(fixture.store, metadata, 2 ** 40))!;
    const after = (await fixture.commit(metadata, plan, await fixture.rewrite(metadata, plan)))!;
    expect(await fixture.read(after)).toEqual(before);
    const { files } = await scanFiles(fixture.store, after);
    expect(files.flatMap((f) => f.deletes)).toEqual([]);
    const head = snapshotById(after, after['current-snapshot-id'])!;
    if (name.includes('delet') || name.includes('equal')) expect(head.summary['total-delete-files']).toBe('0');
    expect(Number(head.summary['total-records'])).toBe(before.length);
  },
);

test('rows of format version 3 keep their ids, through one rewrite and the next', async () => {
  const lineage = async (metadata: TableMetadata) => {
    const { schema, files, ...scan } = await scanFiles(fixture.store, metadata);
    const fields = [...schema.fields, ...lineageOf(metadata)];
    const inspected = files.map((file) => ({ ...file, sameColumns: false }));
    const sums = ['_row_id', '_last_updated_sequence_number'].map((name) => `sum((id % 1009 + 1) * ${name})::VARCHAR`);
    const sql = `SELECT count(*), count(DISTINCT _row_id), ${sums.join(', ')} FROM t`;
    return fixture.run({ kind: 'managed', fields, files: inspected, ...scan }, sql);
  };
  const compacted = async (metadata: TableMetadata) => {
    const plan = (await planCompaction(fixture.store, metadata, 2 ** 40))!;
    const fields = [...currentSchema(metadata).fields, ...lineageOf(metadata)];
    const files = plan.files.map((file) => ({ ...file, sameColumns: false }));
    const written = await fixture.rewrite(metadata, { ...plan, files }, { fields });
    return (await fixture.commit(metadata, plan, written.map(withoutLineage)))!;
  };
  const metadata = await fixture.metadataOf('vectors');
  expect(metadata['format-version']).toBe(3);
  const before = await lineage(metadata);
  const [rows, ids] = JSON.parse(before[0]!);
  expect(ids).toBe(rows);
  const once = await compacted(metadata);
  expect(await lineage(once)).toEqual(before);
  expect((await scanFiles(fixture.store, once)).files.flatMap((file) => file.deletes)).toEqual([]);
  const { files } = await scanFiles(fixture.store, once);
  const again = {
    base: snapshotById(once, once['current-snapshot-id'])!,
    schemaId: once['current-schema-id'],
    reading: {},
  };
  const fields = [...currentSchema(once).fields, ...lineageOf(once)];
  const inspected = files.map((file) => ({ ...file, sameColumns: false }));
  const written = await fixture.rewrite(once, { ...again, files: inspected }, { fields });
  const twice = (await fixture.commit(once, { ...again, files }, written.map(withoutLineage)))!;
  expect(await lineage(twice)).toEqual(before);
});

test('concurrent equality deletes and appends stay in force', async () => {
  const metadata = await fixture.metadataOf('partitioned_equality');
  // Read before the last commit, which deletes a key everywhere.
  const before = earlier(metadata, 1);
  const plan = (await planCompaction(fixture.store, before, 2 ** 40))!;
  const after = (await fixture.commit(metadata, plan, await fixture.rewrite(before, plan)))!;
  expect(await fixture.read(after)).toEqual(await fixture.read(metadata));
});

test('concurrent position deletes win: the rewrite starts again', async () => {
  const metadata = await fixture.metadataOf('position_deletes');
  const before = earlier(metadata, 2);
  const plan = (await planCompaction(fixture.store, before, 2 ** 40))!;
  expect(await fixture.commit(metadata, plan, await fixture.rewrite(before, plan))).toBeNull();
});

test('a concurrent rollback wins too', async () => {
  const metadata = await fixture.metadataOf('position_deletes');
  const plan = (await planCompaction(fixture.store, metadata, 2 ** 40))!;
  expect(await fixture.commit(earlier(metadata, 1), plan, await fixture.rewrite(metadata, plan))).toBeNull();
});

describe('policies of now on an older version', () => {
  const past = async (policies: object): Promise<Relation> => {
    const metadata = await fixture.metadataOf('travelled');
    const snapshotId = metadata.refs['one']!['snapshot-id'];
    const { schema, ...scan } = await scanFiles(fixture.store, metadata, { snapshotId });
    const present = currentSchema(metadata).fields;
    return { kind: 'managed', fields: schema.fields, ...scan, present, ...policies };
  };

  test('bind its columns by what they are called now', async () => {
    expect(await fixture.run(await past({}), 'SELECT region FROM t')).toEqual(['["first"]']);
    const mask = { column: 'place', expression: "'***'" };
    expect(await fixture.run(await past({ masks: [mask] }), 'SELECT region FROM t')).toEqual(['["***"]']);
    expect(
      await fixture.run(await past({ rowFilters: [{ predicate: "place = 'other'" }] }), 'SELECT region FROM t'),
    ).toEqual([]);
    expect(
      await fixture.run(await past({ rowFilters: [{ predicate: 'more IS NULL' }] }), 'SELECT region FROM t'),
    ).toEqual(['["first"]']);
  });

  test('show no column that has since been dropped', async () => {
    const relation = await past({ masks: [{ column: 'id', expression: '0' }] });
    if (relation.kind !== 'managed') throw new Error('a managed table');
    const present = relation.present!.filter((f) => f.name !== 'place');
    await expect(fixture.run({ ...relation, present }, 'SELECT id FROM t')).rejects.toThrow('since been dropped');
  });
});
