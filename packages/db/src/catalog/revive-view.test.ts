import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { reviveView } from './index.ts';

let test_: TestDatabase;
const now = new Date('2026-01-01T00:00:00Z');

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

test.each([
  ['namespace', { dropped_at: now }, {}],
  ['environment', {}, { deleted_at: now, purge_after: now, drop_id: randomUUID() }],
])("a view isn't restored if its %s was dropped in the meantime", async (_, namespace, environment) => {
  const { prisma } = test_.db;
  const [id, environmentId, namespaceId] = [randomUUID(), randomUUID(), randomUUID()];
  await prisma.environment.create({
    data: { id: environmentId, name: environmentId, created_at: now, ...environment },
  });
  const inside = { environment_id: environmentId, created_at: now };
  await prisma.namespace.create({ data: { id: namespaceId, ...inside, path: 'a', path_key: 'a', ...namespace } });
  const view = {
    id,
    ...inside,
    namespace_id: namespaceId,
    name: 'v',
    name_key: 'v',
    kind: 'view',
    columns: [],
    updated_at: now,
  };
  await prisma.table.create({ data: { ...view, dropped_at: now, drop_id: randomUUID(), drop_reason: 'user' } });
  await expect(reviveView(prisma, { id, environmentId, namespaceId, name: 'v', now })).rejects.toMatchObject({
    code: 'not-found',
  });
  expect((await prisma.table.findUniqueOrThrow({ where: { id } })).dropped_at).toEqual(now);
});
