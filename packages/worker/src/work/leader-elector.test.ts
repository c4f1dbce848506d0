import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { LeaderElector } from './leader-elector.ts';

let test_: TestDatabase;
let now = 0;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const worker = () =>
  new LeaderElector({ db: test_.db, owner: randomUUID(), leaseMs: 9000, clock: () => new Date(1e12 + now) });

test("a standby polls when the leader's lease expires, and takes it then", async () => {
  const [dead, next] = [worker(), worker()];
  expect([await dead.poll(), await dead.poll()]).toEqual([true, false]);
  now = 3000;
  // Renewed after a third of the lease, without a change of leader: it expires at 12,000.
  expect(await dead.poll()).toBe(false);
  for (const [at, pause] of [
    [3001, 500],
    [11_900, 101],
    [11_999, 2],
  ] as const) {
    now = at;
    expect([await next.poll(), next.pauseMs, next.current]).toEqual([false, pause, null]);
  }
  now = 12_001;
  expect([await next.poll(), next.pauseMs]).toEqual([true, 500]);
  expect(next.current!.fence).toBe(dead.current!.fence + 1n);
  await next.release();
  // Released: the first to poll takes it.
  expect([await next.poll(), await worker().poll()]).toEqual([true, false]);
});

test('after the clock was set back, a standby takes the lease of a leader that died before', async () => {
  const [dead, next] = [worker(), worker()];
  await test_.db.prisma.lease.deleteMany();
  now = 365 * 86_400_000;
  expect(await dead.poll()).toBe(true);
  now = 0;
  expect([await next.poll(), next.current]).toEqual([false, null]);
  now = 600_001;
  expect(await next.poll()).toBe(true);
});

test('after the clock was set back, a leader that is alive stays the leader', async () => {
  const [alive, standby] = [worker(), worker()];
  await test_.db.prisma.lease.deleteMany();
  now = 365 * 86_400_000;
  expect(await alive.poll()).toBe(true);
  for (now = 0; now < 20_000; now += 1000)
    expect([await standby.poll(), await alive.poll(), standby.current]).toEqual([false, false, null]);
});
