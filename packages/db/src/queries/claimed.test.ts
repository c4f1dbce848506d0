import { randomUUID } from 'node:crypto';
import { scopeOf } from '@svc/core/access';
import { claimWork, forbidRetry, renewLeases, rescueExpiredLeases } from '../leases/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import {
  cancelQuery,
  claimQuery,
  findQuery,
  finishQuery,
  type NewQuery,
  storeRunning,
  submitQuery,
  unstoredClaim,
} from './index.ts';

let test_: TestDatabase;
const environmentId = randomUUID();
const submitterId = randomUUID();
const owner = randomUUID();
const now = new Date('2026-03-01T08:00:00Z');
const later = new Date(now.getTime() + 1001);
const lease = { owner, leaseMs: 1000 };

beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 4 });
  const { prisma } = test_.db;
  await prisma.environment.create({ data: { id: environmentId, name: 'dev', created_at: now } });
  await prisma.$executeRaw`
    INSERT INTO principals (id, name, type, active, created_at) VALUES (${submitterId}::uuid, 'ann', 'person', true, ${now})`;
});
afterAll(() => test_.drop());

const query = (): NewQuery => ({
  ...{ id: randomUUID(), environmentId, environment: 'dev', submitterId, submitter: 'ann', sql: 'SELECT 1' },
  ...{ into: null, mode: null, breakGlass: null },
  ...{ tokenKind: 'personal', runId: null, requestId: 'r', traceparent: 'trace', now },
});

/** Stores a query that its worker runs already. */
async function running(q = query()) {
  await storeRunning(test_.db.prisma, q, { ...lease, now });
  return unstoredClaim(q, { ...lease, now });
}

test('a query that its worker stores while it runs equals one that was claimed from the queue', async () => {
  const { prisma } = test_.db;
  const q = query();
  const stored = await running(q);
  const { id, ...same } = query();
  await submitQuery(prisma, { id, ...same });
  const claimed = (await claimQuery(prisma, { ...lease, now }))!;
  expect({ ...stored, id: '', query: { ...stored.query, id: '' } }).toEqual({
    ...claimed,
    id: '',
    query: { ...claimed.query, id: '' },
  });
  expect(stored.query).toMatchObject((await findQuery(prisma, q.id))!);
  expect(stored).toMatchObject({ id: q.id, fence: 1n, traceparent: 'trace', hasMore: false });
  expect(stored.query).toMatchObject({
    environment: 'dev',
    submitter_active: true,
    status: 'running',
    started_at: now,
  });
  const ids = [stored.id, claimed.id];
  expect(new Set(await renewLeases(prisma, { kind: 'queries', owner, ids, now, leaseMs: 1000 }))).toEqual(new Set(ids));
});

test('a claim reports whether more queries wait', async () => {
  const { prisma } = test_.db;
  for (const q of [query(), query()]) await submitQuery(prisma, q);
  const claims = [await claimQuery(prisma, { ...lease, now }), await claimQuery(prisma, { ...lease, now })];
  expect(claims.map((claim) => claim?.hasMore)).toEqual([true, false]);
  expect(await claimWork(prisma, { kind: 'queries', ...lease, now })).toBeNull();
});

test('nobody else can claim the query until its lease expires, and its completion is recorded once', async () => {
  const { prisma } = test_.db;
  const stored = await running();
  expect(await claimQuery(prisma, { ...lease, now })).toBeNull();
  const { requeued } = await rescueExpiredLeases(prisma, { kind: 'queries', now: later, limit: 100 });
  expect(requeued).toContain(stored.id);
  let again = await claimQuery(prisma, { owner: randomUUID(), leaseMs: 1000, now: later });
  while (again !== null && again.id !== stored.id)
    again = await claimQuery(prisma, { owner: randomUUID(), leaseMs: 1000, now: later });
  expect(again!.fence).toBeGreaterThan(stored.fence);
  const finish = (claim: { id: string; fence: bigint }) =>
    finishQuery(prisma, {
      claim,
      outcome: { status: 'cancelled', error: { code: 'cancelled', detail: 'no', remedy: null } },
      submitterId,
      tables: [],
      event: {
        ...{ id: randomUUID(), time: now, type: 'QUERY_COMPLETED', principal: null, environmentId: null },
        ...{ object: scopeOf({ environment: 'dev' }), requestId: null, detail: {} },
      },
      now,
      returning: true,
    });
  await expect(finish(stored)).rejects.toThrow(/lease/);
  const finished = await finish(again!);
  expect(finished).toEqual(await findQuery(prisma, stored.id));
  expect(finished).toMatchObject({ status: 'cancelled', submitter: 'ann', error: { detail: 'no' } });
});

test('a query whose lease expires is retried once and then fails as worker-lost (RUN-6)', async () => {
  const { prisma } = test_.db;
  await prisma.$executeRaw`UPDATE queries SET status = 'failed', ended_at = ${now} WHERE ended_at IS NULL`;
  const { id } = await running();
  const rescue = (at: Date) => rescueExpiredLeases(prisma, { kind: 'queries', now: at, limit: 100 });
  expect(await rescue(later)).toEqual({ requeued: [id], failed: [], cancelled: [] });
  expect((await claimQuery(prisma, { ...lease, now: later }))?.id).toBe(id);
  expect(await rescue(new Date(later.getTime() + 1001))).toEqual({ requeued: [], failed: [id], cancelled: [] });
  expect(await findQuery(prisma, id)).toMatchObject({ status: 'failed', error: { code: 'worker-lost' } });
});

test('after the clock was set back, work of a lost worker is retried after ten minutes, and a living worker does not lose it (RUN-6)', async () => {
  const { prisma } = test_.db;
  await prisma.$executeRaw`UPDATE queries SET status = 'failed', ended_at = ${now} WHERE ended_at IS NULL`;
  const [lost, alive] = [await running(), await running()];
  const after = (ms: number) => new Date(now.getTime() - 365 * 86_400_000 + ms);
  const rescue = (at: Date) => rescueExpiredLeases(prisma, { kind: 'queries', now: at, limit: 100 });
  expect(await rescue(after(0))).toEqual({ requeued: [], failed: [], cancelled: [] });
  const renewed = await renewLeases(prisma, { ...lease, kind: 'queries', ids: [alive.id], now: after(200_000) });
  expect(renewed).toEqual([alive.id]);
  await renewLeases(prisma, { ...lease, kind: 'queries', ids: [alive.id], now: after(600_000) });
  expect(await rescue(after(600_000))).toEqual({ requeued: [lost.id], failed: [], cancelled: [] });
});

test('a cancelled query whose worker is lost twice is cancelled, also after an internal error (RUN-6)', async () => {
  const { prisma } = test_.db;
  await prisma.$executeRaw`UPDATE queries SET status = 'failed', ended_at = ${now} WHERE ended_at IS NULL`;
  const claim = await running();
  const { id } = claim;
  const error = { code: 'cancelled', detail: 'no', remedy: null };
  expect(await cancelQuery(prisma, { id, error, now })).toMatchObject({ cancelled: true, finished: false });
  await forbidRetry(prisma, { kind: 'queries', claim, now });
  const rescued = await rescueExpiredLeases(prisma, { kind: 'queries', now, limit: 100 });
  expect(rescued).toEqual({ requeued: [], failed: [], cancelled: [id] });
  expect(await findQuery(prisma, id)).toMatchObject({
    status: 'cancelled',
    ended_at: now,
    error: { code: 'cancelled', detail: 'The query was cancelled.' },
  });
});
