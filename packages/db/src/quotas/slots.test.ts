import { randomUUID } from 'node:crypto';
import { inTransaction } from '../connection/index.ts';
import { rescueExpiredLeases } from '../leases/index.ts';
import { cancelQuery, claimQuery, findQuery, submitQuery } from '../queries/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { assignSlots, environmentsWaiting, moveQueuedToWaiting, readQuotaUse } from './index.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 8 });
});
afterAll(() => test_.drop());

const now = new Date('2026-03-01T08:00:00Z');
const LEASE = { leaseMs: 1000, now };

async function environment(): Promise<string> {
  const id = randomUUID();
  await test_.db.prisma.environment.create({ data: { id, name: `e-${id}`, created_at: now } });
  return id;
}

let submitted = 0;
/** Submits a query one millisecond after the previous one, as the API does if the environment has a quota. */
async function submit(environmentId: string, limit: number | null): Promise<string> {
  const id = randomUUID();
  await inTransaction(test_.db, async (tx) => {
    await submitQuery(tx, {
      ...{ id, environmentId, environment: 'dev', submitterId: environmentId, submitter: 'ann', sql: 'SELECT 1' },
      ...{ into: null, mode: null, breakGlass: null },
      ...{ tokenKind: 'personal', runId: null, requestId: id, waits: limit !== null },
      now: new Date(now.getTime() + submitted++),
    });
    if (limit !== null) await assignSlots(tx, { environmentId, limit });
  });
  return id;
}

const setLimit = (environmentId: string, limit: number | null) =>
  inTransaction(test_.db, (tx) => assignSlots(tx, { environmentId, limit }));
const claim = (owner = randomUUID()) => claimQuery(test_.db.prisma, { owner, ...LEASE });
const finish = (id: string) =>
  test_.db.prisma.query.update({ where: { id }, data: { status: 'succeeded', ended_at: now } });

test('queries over the quota wait, show as queued, and start in order as slots become free', async () => {
  const env = await environment();
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await submit(env, 2));
  expect(await readQuotaUse(test_.db.prisma, env)).toEqual({ storageBytes: 0, queries: 2, waiting: 2 });
  for (const id of ids) expect((await findQuery(test_.db.prisma, id))!.status).toBe('queued');
  const claims = [await claim(), await claim(), await claim()];
  expect(claims.map((claimed) => claimed?.id ?? null)).toEqual([ids[0], ids[1], null]);
  expect(claims[0]!.query.placed).toBe(true);
  await finish(ids[1]!);
  expect(await setLimit(env, 2)).toBe(1);
  expect((await claim())!.id).toBe(ids[2]);
  expect(await claim()).toBeNull();
  // A waiting query is cancelled like a queued one.
  const error = { code: 'cancelled', detail: '', remedy: null };
  const cancelled = { cancelled: true, finished: true, isFirst: true };
  expect(await cancelQuery(test_.db.prisma, { id: ids[3]!, error, now })).toEqual(cancelled);
  for (const id of [ids[0]!, ids[2]!]) await finish(id);
});

test("queries of another environment don't wait behind them", async () => {
  const [full, free] = [await environment(), await environment()];
  for (let n = 0; n < 20; n++) await submit(full, 1);
  const other = await submit(free, null);
  const claims = [await claim(), await claim(), await claim()];
  expect(claims.map((claimed) => claimed?.query.environment_id ?? null)).toEqual([full, free, null]);
  expect(claims[1]!.id).toBe(other);
  expect(await environmentsWaiting(test_.db.prisma)).toEqual([
    { id: full, quota_storage_bytes: null, quota_concurrent_queries: null },
  ]);
  // Without a limit, all of them may start.
  expect(await setLimit(full, null)).toBe(19);
  for (let claimed = await claim(); claimed !== null; claimed = await claim()) await finish(claimed.id);
  for (const claimed of claims) if (claimed) await finish(claimed.id);
});

test('a query whose worker crashes keeps its slot for the next worker', async () => {
  const env = await environment();
  const [first] = [await submit(env, 1), await submit(env, 1)];
  await claim();
  const later = new Date(now.getTime() + 10_000);
  await inTransaction(test_.db, (tx) => rescueExpiredLeases(tx, { kind: 'queries', now: later, limit: 10 }));
  expect(await setLimit(env, 1)).toBe(0);
  expect((await claim())!.id).toBe(first);
  await finish(first);
  await setLimit(env, 1);
  await finish((await claim())!.id);
});

test('a new limit delays queries that nobody has started and counts those that run', async () => {
  const env = await environment();
  for (let n = 0; n < 3; n++) await submit(env, null);
  const running = (await claim())!;
  const limit = (max: number) =>
    inTransaction(test_.db, async (tx) => {
      await moveQueuedToWaiting(tx, env);
      return assignSlots(tx, { environmentId: env, limit: max });
    });
  expect(await limit(1)).toBe(0);
  expect(await claim()).toBeNull();
  expect(await limit(2)).toBe(1);
  await finish(running.id);
  await finish((await claim())!.id);
  await setLimit(env, 2);
  await finish((await claim())!.id);
});

test('with concurrent submits, claims and completions the limit is never exceeded', async () => {
  const env = await environment();
  const [limit, total] = [3, 60];
  let [peak, finished] = [0, 0];
  const order: string[] = [];
  const measure = async () => {
    const rows = await test_.db.prisma.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM queries WHERE environment_id = ${env}::uuid AND status IN ('queued', 'running')`;
    peak = Math.max(peak, rows[0]!.n);
  };
  // As many as may be under way at once, before the workers take any.
  for (let n = 0; n < limit; n++) await submit(env, limit);
  await measure();
  const submitters = Array.from({ length: 3 }, async () => {
    for (let n = 0; n < (total - limit) / 3; n++) await submit(env, limit);
  });
  const workers = Array.from({ length: 4 }, async () => {
    while (finished < total) {
      const claimed = await claim();
      await measure();
      if (claimed === null) continue;
      order.push(claimed.id);
      await finish(claimed.id);
      finished++;
      await setLimit(env, limit);
    }
  });
  await Promise.all([...submitters, ...workers]);
  expect(peak).toBe(limit);
  expect(new Set(order).size).toBe(total);
});
