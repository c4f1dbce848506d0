import { randomUUID } from 'node:crypto';
import { rescueExpiredLeases } from '@svc/db/leases';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { Claims } from './claims.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

test('work that this worker lost and claims again is done once: the first claim is stopped', async () => {
  const { db } = test_;
  let now = new Date('2026-01-01T00:00:00Z');
  const claims = new Claims({ db, owner: randomUUID(), leaseMs: 30_000, clock: () => now });
  const id = randomUUID();
  const run = { id, environment_id: id, repository_id: id, project_version_id: id, principal_id: id };
  await db.prisma.run.create({ data: { ...run, select: [], status: 'queued', created_at: now } });
  const first = (await claims.claim('runs'))!;
  // The machine was asleep.
  now = new Date('2026-01-01T01:00:00Z');
  await rescueExpiredLeases(db.prisma, { kind: 'runs', now, limit: 1 });
  const second = (await claims.claim('runs'))!;
  await claims.renew();
  expect([first.id, first.signal.reason]).toEqual([second.id, 'lease-lost']);
  claims.remove(first);
  expect([claims.all(), second.signal.aborted]).toEqual([[second], false]);
});
