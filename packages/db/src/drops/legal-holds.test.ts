import { randomUUID } from 'node:crypto';
import { swapTablePointer } from '../tables/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { releaseCommand, releaseLegalHold, setLegalHold } from './index.ts';

let test_: TestDatabase;
const now = new Date('2026-01-01T00:00:00Z');

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

test('a hold that is placed after a commit has checked for one still forbids the removal of snapshots (DROP-15)', async () => {
  const { prisma } = test_.db;
  const [id, by] = [randomUUID(), randomUUID()];
  const table = { id, environment_id: id, namespace_id: id, name: 't', name_key: 't', kind: 'managed', columns: [] };
  await prisma.table.create({ data: { ...table, metadata_location: '1', created_at: now, updated_at: now } });
  const swap = (expected: string, next: string, removesSnapshots: boolean) => {
    const contents = { snapshotId: 1, rowCount: 0, sizeBytes: 0, fileCount: 0 };
    return swapTablePointer(prisma, { id, expected, next, contents, removesSnapshots, now });
  };
  await setLegalHold(prisma, { id, reason: 'audit', until: null, by, now });
  expect(await swap('1', '2', true)).toBe(false);
  expect(await swap('1', '2', false)).toBe(true);
  await setLegalHold(prisma, { id, reason: 'audit', until: now, by, now });
  expect(await swap('2', '3', true)).toBe(true);
  await releaseLegalHold(prisma, id);
  expect(await swap('3', '4', true)).toBe(true);
});

test.each([
  [{ table: 'shop.orders' }, 'svc table release shop.orders --env dev'],
  [{ table: "shop.Tom's $(x)", droppedId: 'd' }, `svc table release 'shop.Tom'\\''s $(x)' --id d --env dev`],
  [{ table: '-x.t' }, 'svc table release --env dev -- -x.t'],
])('the command that releases the hold of %j can be pasted into a shell', (named, command) => {
  expect(releaseCommand({ environment: 'dev', ...named })).toBe(command);
});
