import { createTestDatabase, statementBlocked, type TestDatabase } from '../testing/index.ts';
import { addRequestCounts } from './request-counts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('servers that report several batches of tokens lock them in the same order', async () => {
  const { prisma } = database.db;
  // One more than a batch.
  const tokens = Array.from({ length: 5001 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`);
  const countsOf = (ids: string[]) => ({ minute: 1, counts: ids.map((token_id) => ({ token_id, requests: 1 })) });
  const [first, last] = [tokens[0]!, tokens.at(-1)!];
  let other: Promise<unknown> | undefined;
  await prisma.$transaction(async (tx) => {
    await addRequestCounts(tx, countsOf([first]));
    other = prisma.$transaction((another) => addRequestCounts(another, countsOf(tokens.toReversed())));
    await statementBlocked(database.db);
    // The other one has not locked it yet: otherwise, both would wait for each other.
    expect(await addRequestCounts(tx, countsOf([last]))).toEqual([{ token_id: last, requests: 1 }]);
  });
  const totals = (await other) as { token_id: string; requests: number }[];
  expect([totals.length, totals[0], totals.at(-1)]).toEqual([
    5001,
    { token_id: first, requests: 2 },
    { token_id: last, requests: 2 },
  ]);
});
