import {
  commitFiles,
  commitTable,
  type DataFileRecord,
  fieldsOfColumns,
  type PositionDeletes,
  prepareRewrite,
  type Snapshot,
  snapshotOfRef,
  stagedChange,
  stagedClone,
  stagedMetadata,
  stagedRows,
  type TableMetadata,
  writeNewTable,
} from '../index.ts';
import { TableFixture } from '../testing/table-fixture.ts';

const COLUMNS = [{ name: 'id', type: 'long', nullable: true, description: null }];

/** A staging table, written by something other than the table that gets the rows. */
class Staging {
  readonly table: TableFixture;
  state: { metadata: TableMetadata; metadataLocation: string };

  private constructor(table: TableFixture, state: Staging['state']) {
    this.table = table;
    this.state = state;
  }

  static async open(table: TableFixture, metadata: TableMetadata): Promise<Staging> {
    return new Staging(table, await writeNewTable(table.store, metadata, table.ids));
  }

  private readonly swap = async (next: Staging['state']) => {
    this.state = next;
    return true;
  };

  append(files: readonly DataFileRecord[]) {
    const { store, ids } = this.table;
    const write = { store, files, mode: 'append', schemaId: 0, now: 3000, ids } as const;
    return commitFiles({ ...write, load: async () => this.state, swap: this.swap, alone: (work) => work() });
  }

  async rewrite(
    base: Snapshot | null,
    change: { removed?: Set<string>; files?: DataFileRecord[]; deletes?: PositionDeletes[] },
  ) {
    const { store, ids } = this.table;
    const { removed = new Set(), files = [], deletes = [] } = change;
    // Other engines read files of any folder.
    const metadata = { ...this.state.metadata, location: this.table.state.metadata.location };
    const about = { store, metadata, base, now: 3000, ids, mergeAt: 100, changesRows: true };
    const prepared = await prepareRewrite({ ...about, removed, files, deletes });
    const { requirements, updates } = prepared!;
    await commitTable({ store, current: this.state, requirements, updates, now: 3000, ids, swap: this.swap });
  }
}

async function append(table: TableFixture, files: readonly DataFileRecord[]): Promise<void> {
  const { store, ids, load, swap } = table;
  const write = { store, files, mode: 'append', schemaId: 0, now: 2000, ids } as const;
  const result = await commitFiles({ ...write, load, swap, alone: (work) => work() });
  if (!result.ok) throw new Error(result.message);
}

const paths = (files: readonly DataFileRecord[]) => files.map((file) => file.file_path);

test('staged rows are data files of the table', async () => {
  const table = await TableFixture.create(COLUMNS);
  await append(table, [await table.fakeFile(5)]);
  const target = table.state.metadata;
  const { fields } = target.schemas[0]!;
  const metadata = stagedMetadata({ uuid: table.ids.uuid(), location: target.location, fields, target, now: 2500 });
  const staging = await Staging.open(table, metadata);
  expect(await stagedRows(table.store, staging.state.metadata)).toEqual({ snapshotId: null, files: [] });
  const files = [await table.fakeFile(7), await table.fakeFile(8)];
  await staging.append(files);
  const staged = await stagedRows(table.store, staging.state.metadata);
  expect(staged.snapshotId).toBe(staging.state.metadata['current-snapshot-id']);
  expect(paths(staged.files)).toEqual(paths(files));
  expect(staged.files[0]).toMatchObject({ record_count: 7n, spec_id: 0 });
  await append(table, staged.files);
  expect(snapshotOfRef(table.state.metadata, 'main')!.summary['total-records']).toBe('20');
});

test('a staging table has the layout of its table, in format version 2 and without defaults', async () => {
  const table = await TableFixture.create(COLUMNS);
  const fields = fieldsOfColumns([...COLUMNS, { ...COLUMNS[0]!, name: 'more' }]).fields.map((field) => ({
    ...field,
    'initial-default': 1,
    'write-default': 2,
  }));
  const target: TableMetadata = {
    ...table.state.metadata,
    'format-version': 3,
    'next-row-id': 7,
    'partition-specs': [
      { 'spec-id': 0, fields: [] },
      { 'spec-id': 4, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'p', transform: 'bucket[4]' }] },
    ],
    'default-spec-id': 4,
    properties: { 'write.data.path': 'file:///other', 'write.format.default': 'orc', a: 'b' },
  };
  const { location } = target;
  const metadata = stagedMetadata({ uuid: table.ids.uuid(), location, fields, target, now: 2500 });
  expect(metadata).toMatchObject({ 'format-version': 2, location, 'default-spec-id': 4, 'last-column-id': 2 });
  expect(metadata['partition-specs'].map((spec) => spec['spec-id'])).toEqual([4]);
  expect(metadata.schemas[0]!.fields).toEqual(fieldsOfColumns([...COLUMNS, { ...COLUMNS[0]!, name: 'more' }]).fields);
  expect(metadata.properties).toEqual({ a: 'b', ...PARQUET });
  expect(stagedClone(target, { uuid: table.ids.uuid(), location, now: 2500 }).properties).toEqual(metadata.properties);
  expect(metadata).not.toHaveProperty('next-row-id');
});

const PARQUET = { 'write.format.default': 'parquet', 'write.delete.format.default': 'parquet' };

test('a staging table is sorted as its table, unless the rows lack a column of the order', async () => {
  const table = await TableFixture.create([...COLUMNS, { ...COLUMNS[0]!, name: 'more' }]);
  const orders = [1, 2].map((id) => ({
    'source-id': id,
    transform: 'identity',
    direction: 'asc',
    'null-order': 'nulls-first',
  }));
  const order = { 'order-id': 3, fields: orders };
  const { location, schemas, ...rest } = table.state.metadata;
  const target = { ...rest, location, schemas, 'sort-orders': [order], 'default-sort-order-id': 3 } as TableMetadata;
  const stage = (fields: TableMetadata['schemas'][number]['fields']) =>
    stagedMetadata({ uuid: table.ids.uuid(), location, fields, target, now: 2500 });
  const { fields } = schemas[0]!;
  expect(stage(fields)).toMatchObject({ 'sort-orders': [order], 'default-sort-order-id': 3 });
  const unsorted = { 'sort-orders': [{ 'order-id': 0, fields: [] }], 'default-sort-order-id': 0 };
  expect(stage(fields.slice(0, 1))).toMatchObject(unsorted);
});

/** A clone in a folder inside that of the table. */
function cloneOf(table: TableFixture, target: TableMetadata): TableMetadata {
  const uuid = table.ids.uuid();
  const location = `${table.state.metadata.location}/staged/${uuid}`;
  return stagedClone(target, { uuid, location, now: 2500 });
}

test('files of a partition spec that the table does not have are rejected', async () => {
  const table = await TableFixture.create(COLUMNS);
  const target = table.state.metadata;
  const { fields } = target.schemas[0]!;
  const metadata = stagedMetadata({ uuid: table.ids.uuid(), location: target.location, fields, target, now: 2500 });
  const specs = metadata['partition-specs'];
  const staging = await Staging.open(table, {
    ...metadata,
    'partition-specs': [...specs, { 'spec-id': 3, fields: [] }],
  });
  await staging.append([{ ...(await table.fakeFile(7)), spec_id: 3 }]);
  const written = { ...staging.state.metadata, 'partition-specs': specs };
  await expect(stagedRows(table.store, written)).rejects.toThrow('partition spec');
});

test('a clone shows what a change removed, added and deleted', async () => {
  const table = await TableFixture.create(COLUMNS);
  const [first, second, third] = [await table.fakeFile(5), await table.fakeFile(6), await table.fakeFile(7)];
  await append(table, [first, second, third]);
  const target = table.state.metadata;
  const base = snapshotOfRef(target, 'main');
  const from = { location: target.location, snapshot: base };
  const staging = await Staging.open(table, cloneOf(table, target));
  const unchanged = await stagedChange(table.store, staging.state.metadata, from);
  expect(unchanged).toMatchObject({ files: [], deletes: [], deletedRows: 0, addedRows: 0 });
  const added = await table.fakeFile(3);
  const deleted = { ...(await table.fakeFile(2)), content: 1 };
  await staging.rewrite(base, {
    removed: new Set([first.file_path]),
    files: [added],
    deletes: [{ of: second.file_path, file: deleted }],
  });
  const change = await stagedChange(table.store, staging.state.metadata, from);
  expect(change).toMatchObject({ deletedRows: 7, addedRows: 3 });
  expect([...change.removed]).toEqual([first.file_path]);
  expect(paths(change.files)).toEqual([added.file_path]);
  expect(change.deletes).toEqual([
    { of: second.file_path, file: expect.objectContaining({ file_path: deleted.file_path }) },
  ]);
});

test('rows that were deleted before are not counted again when their file is removed', async () => {
  const table = await TableFixture.create(COLUMNS);
  const first = await table.fakeFile(5);
  await append(table, [first]);
  const marks = { ...(await table.fakeFile(2)), content: 1 };
  const earlier = await Staging.open(table, cloneOf(table, table.state.metadata));
  const start = snapshotOfRef(table.state.metadata, 'main');
  await earlier.rewrite(start, { deletes: [{ of: first.file_path, file: marks }] });
  const target = earlier.state.metadata;
  const base = snapshotOfRef(target, 'main');
  const staging = await Staging.open(table, cloneOf(table, target));
  await staging.rewrite(base, { removed: new Set([first.file_path]) });
  const from = { location: table.state.metadata.location, snapshot: base };
  expect(await stagedChange(table.store, staging.state.metadata, from)).toMatchObject({ deletedRows: 3, addedRows: 0 });
});

test('a clone of an empty table takes its first rows', async () => {
  const table = await TableFixture.create(COLUMNS);
  const staging = await Staging.open(table, cloneOf(table, table.state.metadata));
  const added = await table.fakeFile(3);
  await staging.append([added]);
  const change = await stagedChange(table.store, staging.state.metadata, {
    location: table.state.metadata.location,
    snapshot: null,
  });
  expect(change).toMatchObject({ deletedRows: 0, addedRows: 3, files: [{ file_path: added.file_path }] });
});
