import { randomUUID } from 'node:crypto';
import { inTransaction } from '../connection/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { acquireLeaderLease, lockLeaderLease, releaseLeaderLease } from './index.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const acquire = (name: string, workerId: string, second: number) =>
  acquireLeaderLease(test_.db.prisma, { name, holder: workerId, now: at(second), leaseMs: 10_000 });

test('one holder acquires, renews and loses the lease; the fence grows with every change of holder', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  expect(await acquire('r', a, 0)).toMatchObject({ holder: a, fence: 1n });
  expect(await acquire('r', b, 5)).toBeNull();
  expect(await acquire('r', a, 9)).toMatchObject({ fence: 1n });
  expect(await acquire('r', b, 18)).toBeNull();
  expect(await acquire('r', b, 19)).toMatchObject({ holder: b, fence: 2n });
  expect(await acquire('r', a, 20)).toBeNull();
  await releaseLeaderLease(test_.db.prisma, { name: 'r', holder: b, fence: 2n });
  expect(await acquire('r', a, 21)).toMatchObject({ holder: a, fence: 3n });
});

test('only one of many concurrent callers acquires the lease', async () => {
  for (const second of [0, 10, 20]) {
    const acquired = await Promise.all(Array.from({ length: 8 }, () => acquire('many', randomUUID(), second)));
    expect(acquired.filter((lease) => lease !== null)).toHaveLength(1);
  }
});

test('a holder stalled in a transaction blocks nobody, and the server aborts the transaction', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  const lease = (await acquire('still', a, 0))!;
  await inTransaction(test_.db, async (tx) => {
    expect(await lockLeaderLease(tx, lease)).toBe(true);
    // This must not block: the transaction that holds the row never commits.
    expect(await acquire('still', b, 11)).toBeNull();
    const setting = await tx.$queryRaw`SHOW idle_in_transaction_session_timeout`;
    expect(setting).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
  });
  expect(await acquire('still', b, 11)).toMatchObject({ fence: 2n });
  expect(await inTransaction(test_.db, (tx) => lockLeaderLease(tx, lease))).toBe(false);
});
