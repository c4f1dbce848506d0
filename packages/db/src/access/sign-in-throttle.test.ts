import { inTransaction, type Transaction } from '../connection/index.ts';
import { createTestDatabase, statementBlocked, type TestDatabase } from '../testing/index.ts';
import { correctSignInAttempts, countSignInAttempt } from './index.ts';

const now = new Date('2026-03-01T08:00:00Z');
const windowEnds = new Date('2026-03-01T08:15:00Z');

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const count = (client: Transaction, key: string) => countSignInAttempt(client, { keys: [key], now, windowEnds });

async function counted(): Promise<Record<string, number>> {
  const rows = await test_.db.prisma.signInThrottle.findMany();
  return Object.fromEntries(rows.map(({ key, failures }) => [key, failures]));
}

test("attempts lock keys in a fixed order, so that they can't deadlock", async () => {
  const { db } = test_;
  // Insert the keys in reverse, so that taking locks in storage order would deadlock.
  for (const key of ['c', 'b', 'a']) await count(db.prisma, key);
  const corrected = await inTransaction(db, async (tx) => {
    await count(tx, 'a');
    const correction = correctSignInAttempts(db.prisma, { decrement: ['a', 'c'], reset: ['b'] });
    await statementBlocked(db);
    await count(tx, 'b');
    await count(tx, 'c');
    return { settling: correction };
  });
  await corrected.settling;
  expect(await counted()).toEqual({ a: 1, c: 1 });
  await correctSignInAttempts(db.prisma, { decrement: ['a', 'none'] });
  await correctSignInAttempts(db.prisma, { decrement: ['a'] });
  expect(await counted()).toEqual({ a: 0, c: 1 });
});
