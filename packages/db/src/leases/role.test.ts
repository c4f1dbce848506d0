import { randomUUID } from 'node:crypto';
import { inTransaction } from '../connection/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { holdRole, releaseRole, stillHolds } from './index.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const hold = (name: string, holder: string, second: number) =>
  holdRole(test_.db.prisma, { name, holder, now: at(second), leaseMs: 10_000 });

test('one holder acquires, renews and loses the lease; the fence grows with every change of holder', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  expect(await hold('r', a, 0)).toMatchObject({ holder: a, fence: 1n });
  expect(await hold('r', b, 5)).toBeNull();
  expect(await hold('r', a, 9)).toMatchObject({ fence: 1n });
  expect(await hold('r', b, 18)).toBeNull();
  expect(await hold('r', b, 19)).toMatchObject({ holder: b, fence: 2n });
  expect(await hold('r', a, 20)).toBeNull();
  await releaseRole(test_.db.prisma, { name: 'r', holder: b, fence: 2n });
  expect(await hold('r', a, 21)).toMatchObject({ holder: a, fence: 3n });
});

test('only one of many concurrent callers acquires the lease', async () => {
  for (const second of [0, 10, 20]) {
    const got = await Promise.all(Array.from({ length: 8 }, () => hold('many', randomUUID(), second)));
    expect(got.filter((lease) => lease !== null)).toHaveLength(1);
  }
});

test('a holder stalled in a transaction blocks nobody, and the server aborts the transaction', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  const lease = (await hold('still', a, 0))!;
  await inTransaction(test_.db, async (tx) => {
    expect(await stillHolds(tx, lease)).toBe(true);
    // This must not block: the transaction that holds the row never commits.
    expect(await hold('still', b, 11)).toBeNull();
    const shown = await tx.$queryRaw`SHOW idle_in_transaction_session_timeout`;
    expect(shown).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
  });
  expect(await hold('still', b, 11)).toMatchObject({ fence: 2n });
  expect(await inTransaction(test_.db, (tx) => stillHolds(tx, lease))).toBe(false);
});
