import { createTestDatabase, type TestDatabase } from '../testing/index.ts';

let test_: TestDatabase;

beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 1 });
});
afterAll(() => test_.drop());

test('a connection caches the plans of marked statements only', async () => {
  const { prisma } = test_.db;
  for (const n of [1, 2, 3]) {
    expect(await prisma.$queryRaw`/* prepared three-times */ SELECT ${n}::int AS n`).toEqual([{ n }]);
    expect(await prisma.$queryRaw`SELECT ${n}::int + 1 AS n`).toEqual([{ n: n + 1 }]);
  }
  const prepared = await prisma.$queryRaw`
    SELECT name, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements WHERE name <> ''`;
  expect(prepared).toEqual([{ name: 'three-times', runs: 3 }]);
});
