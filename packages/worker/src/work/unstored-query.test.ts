import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { scopeOf } from '@svc/core/access';
import { cancelQuery, findQuery, type NewQuery, type QueryCompletion } from '@svc/db/queries';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { batchStatements } from './statements.ts';
import { UnstoredQuery } from './unstored-query.ts';

let test_: TestDatabase;
const [environmentId, submitterId, owner] = [randomUUID(), randomUUID(), randomUUID()];
const now = new Date('2026-03-01T08:00:00Z');
const later = new Date(now.getTime() + 150);

beforeAll(async () => {
  test_ = await createTestDatabase();
  const { prisma } = test_.db;
  await prisma.environment.create({ data: { id: environmentId, name: 'dev', created_at: now } });
  await prisma.$executeRaw`
    INSERT INTO principals (id, name, type, active, created_at) VALUES (${submitterId}::uuid, 'ann', 'person', true, ${now})`;
});
afterAll(() => test_.drop());

/** A moment that never ends during a test; with 0, it ends at once. */
const LONG_MS = 1_000_000;

function open({ momentMs = LONG_MS, ...more }: Partial<NewQuery> & { momentMs?: number } = {}) {
  const query: NewQuery = {
    ...{ id: randomUUID(), environmentId, environment: 'dev', submitterId, submitter: 'ann', sql: 'SELECT 1' },
    ...{ into: null, mode: null, breakGlass: null, tokenKind: 'personal', runId: null, requestId: 'r', now },
    ...more,
  };
  const onCancelled = mock.fn();
  const deps = { db: test_.db, statements: batchStatements(test_.db.prisma, { warn: () => {} } as never) };
  const lease = { owner, leaseMs: 1000, now };
  return { query, onCancelled, unstored: new UnstoredQuery(deps, { query, lease, momentMs, onCancelled }) };
}

const found = (id: string) => findQuery(test_.db.prisma, id);

const completion = (): QueryCompletion => ({
  outcome: { status: 'failed', error: { code: 'x', detail: 'no', remedy: null } },
  ...{ submitterId, tables: [], now: later },
  event: {
    ...{ id: randomUUID(), time: later, type: 'QUERY_COMPLETED', principal: null, environmentId },
    ...{ object: scopeOf({ environment: 'dev' }), requestId: 'r', detail: {} },
  },
});

test('a query that ends within its moment is stored once, with its end', async () => {
  const { query, unstored } = open();
  expect(await found(query.id)).toBeNull();
  const record = await unstored.end(completion());
  expect(record).toMatchObject({ status: 'failed', started_at: now, ended_at: later });
  expect([await found(query.id), await unstored.stored, unstored.isRunning]).toEqual([record, record, false]);
  await unstored.store();
  expect(await found(query.id)).toEqual(record);
});

test('after its moment it is stored as running, can be cancelled, and its end is left to the usual statement', async () => {
  const { query, unstored, onCancelled } = open({ momentMs: 0 });
  expect(await unstored.stored).toEqual(await found(query.id));
  expect(await unstored.stored).toMatchObject({ status: 'running', started_at: now });
  expect([unstored.isRunning, await unstored.end(completion()), await unstored.enqueue(false)]).toEqual([
    true,
    null,
    false,
  ]);
  const error = { code: 'cancelled', detail: 'no', remedy: null };
  expect(await cancelQuery(test_.db.prisma, { id: query.id, error, now })).toEqual({
    cancelled: true,
    finished: false,
    isFirst: true,
  });
  expect(onCancelled.mock.callCount()).toBe(0);
});

test('the time in which it waits for a slot is not a part of its moment', async () => {
  const { query, unstored } = open({ momentMs: 0 });
  unstored.pause();
  expect(await found(query.id)).toBeNull();
  unstored.resume(later);
  expect(await unstored.stored).toMatchObject({ status: 'running', created_at: now, started_at: later });
});

test.each([false, true])(
  'a query without a slot is stored in the queue (in that of long queries: %s)',
  async (isLong) => {
    const { query, unstored } = open();
    expect(await unstored.enqueue(isLong)).toBe(true);
    expect(await unstored.stored).toMatchObject({ status: 'queued', started_at: null });
    const row = await test_.db.prisma.query.findUniqueOrThrow({ where: { id: query.id } });
    expect(row).toMatchObject({ is_long: isLong, attempts: 0, lease_owner: null });
  },
);

test('a query of a principal who was deactivated before it was stored is cancelled', async () => {
  const { prisma } = test_.db;
  const { unstored, onCancelled } = open();
  await prisma.principal.update({ where: { id: submitterId }, data: { active: false } });
  await unstored.store();
  expect(onCancelled.mock.callCount()).toBe(1);
  await prisma.principal.update({ where: { id: submitterId }, data: { active: true } });
});

test('a query that cannot be stored fails for everyone that waits for it', async () => {
  const { unstored } = open({ environmentId: 'none' });
  await expect(unstored.end(completion())).rejects.toThrow();
  const stored = expect(unstored.stored).rejects.toThrow();
  await expect(unstored.store()).rejects.toThrow();
  await stored;
});
