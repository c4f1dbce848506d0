import { randomUUID } from 'node:crypto';
import { finishPurges } from '../drops/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { findInputColumns, findInputs, findTablesByName, recordInputs } from './index.ts';

let test_: TestDatabase;
let environmentId: string;
const now = new Date(Date.UTC(2026, 0, 1));
const ids: Record<string, string> = {};

beforeAll(async () => {
  test_ = await createTestDatabase();
  const { prisma } = test_.db;
  environmentId = randomUUID();
  const namespace = randomUUID();
  await prisma.environment.create({ data: { id: environmentId, name: 'dev', created_at: now } });
  await prisma.namespace.create({
    data: { id: namespace, environment_id: environmentId, path: 'Shop.a', path_key: 'shop.a', created_at: now },
  });
  for (const name of ['Out', 'One', 'Two', 'Old']) {
    ids[name] = randomUUID();
    await prisma.table.create({
      data: {
        ...{
          id: ids[name],
          environment_id: environmentId,
          namespace_id: namespace,
          name,
          name_key: name.toLowerCase(),
        },
        ...{ kind: 'managed', columns: [], created_at: now, updated_at: now },
      },
    });
  }
});
afterAll(() => test_.drop());
beforeEach(async () => {
  await test_.db.prisma.tableInput.deleteMany();
});

type Build = Parameters<typeof recordInputs>[1];

const record = (more: Partial<Build> = {}) =>
  recordInputs(test_.db.prisma, {
    ...{ tableId: ids['Out']!, environmentId, runId: randomUUID(), projectVersionId: randomUUID() },
    ...{ retainsRows: false, read: null, declared: [], now },
    ...more,
  });

const read = (
  name: string,
  snapshotId: bigint | null = null,
  columns: { input: string; output: string }[] | null = null,
) => {
  return { id: ids[name]!, snapshotId, columns };
};

async function inputs() {
  const found = await findInputs(test_.db.prisma, {
    ...{ environmentId, tableIds: [ids['Out']!], direction: 'upstream', visible: 'all', limit: 10 },
  });
  return found.map(({ name, is_read, input_snapshot_id }) => [name, is_read, input_snapshot_id]);
}

test('records what was read, without the table itself (LINEAGE-1)', async () => {
  await record({ read: [read('One', 2n ** 60n), read('Out', 1n), read('Two')], declared: ['shop.a.old'] });
  expect(await inputs()).toEqual([
    ['Shop.a.One', true, 2n ** 60n],
    ['Shop.a.Two', true, null],
  ]);
});

test('records the declared inputs that exist if it is unknown what was read (LINEAGE-1)', async () => {
  await record({ declared: ['SHOP.A.ONE', 'shop.a.out', 'shop.a.missing', 'no name', 'shop.a.one'] });
  expect(await inputs()).toEqual([['Shop.a.One', false, null]]);
});

test('a build replaces the inputs of the previous one, or updates those of rows that stay (LINEAGE-1)', async () => {
  await record({ read: [read('One', 1n), read('Two', 1n)] });
  await record({ read: [read('One', 2n)], retainsRows: true });
  expect(await inputs()).toEqual([
    ['Shop.a.One', true, 2n],
    ['Shop.a.Two', true, 1n],
  ]);
  await record({ read: [], retainsRows: true });
  expect(await inputs()).toHaveLength(2);
  await record({ read: [] });
  expect(await inputs()).toEqual([]);
});

test('returns as many columns as fit, in order of the keys (LINEAGE-5)', async () => {
  const pair = { input: 'a', output: 'b' };
  await record({ read: [read('One', 1n, [pair, pair]), read('Two', 1n, [pair]), read('Old', 1n)] });
  const keys = ['Two', 'One', 'Old'].map((name) => ({ tableId: ids['Out']!, inputId: ids[name]! }));
  const columns = async (limit: number) => {
    const rows = await findInputColumns(test_.db.prisma, { keys, limit });
    return Object.fromEntries(rows.map((row) => [row.input_id, [row.columns?.length ?? null, row.is_omitted]]));
  };
  expect(await columns(3)).toEqual({ [ids['Two']!]: [1, false], [ids['One']!]: [2, false] });
  expect(await columns(2)).toEqual({ [ids['Two']!]: [1, false], [ids['One']!]: [null, true] });
});

test('finds tables by their names in any letter case, once for each name (LINEAGE-7)', async () => {
  const found = await findTablesByName(test_.db.prisma, {
    environmentId,
    names: ['shop.A.two', 'two', 'shop.b.two', ''],
  });
  expect(found).toEqual([{ id: ids['Two'], name: 'Shop.a.Two', kind: 'managed' }]);
});

test('the deletion of the files removes the lineage on both sides (LINEAGE-6)', async () => {
  const { prisma } = test_.db;
  await record({ read: [read('Old')] });
  await record({ tableId: ids['Old']!, read: [read('One')] });
  await record({ tableId: ids['Two']!, read: [read('One')] });
  const dropped = {
    dropped_at: now,
    drop_id: randomUUID(),
    drop_reason: 'user',
    purge_after: now,
    purge_started_at: now,
  };
  await prisma.table.update({ where: { id: ids['Old']! }, data: dropped });
  expect(await inputs()).toEqual([]);
  expect(await prisma.tableInput.count()).toBe(3);
  await finishPurges(prisma, { purged: [{ id: ids['Old']!, files: 0, bytes: 0 }], now });
  expect(await prisma.tableInput.findMany({ select: { table_id: true } })).toEqual([{ table_id: ids['Two'] }]);
});
