import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import {
  cancelQuery,
  claimQuery,
  findQuery,
  type NewQuery,
  type QueryClaim,
  requeueQuery,
  submitQuery,
} from './index.ts';

let test_: TestDatabase;
const environmentId = randomUUID();
const [ann, ben, cleo] = [randomUUID(), randomUUID(), randomUUID()];
const START = Date.parse('2026-03-01T08:00:00Z');

beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 4 });
  await test_.db.prisma.environment.create({ data: { id: environmentId, name: 'dev', created_at: new Date(START) } });
});
afterEach(() => test_.db.prisma.query.deleteMany());
afterAll(() => test_.drop());

let submitted = 0;
/** Each is submitted a second after the one before. */
const submit = async (submitterId: string, into: NewQuery['into'] = null) => {
  const id = randomUUID();
  const now = new Date(START + 1000 * ++submitted);
  await submitQuery(test_.db.prisma, {
    ...{ id, environmentId, environment: 'dev', submitterId, submitter: 'ann', sql: 'SELECT 1', into, mode: null },
    ...{ tokenKind: 'personal', runId: null, requestId: 'r', traceparent: null, breakGlass: null, now },
  });
  return id;
};

const claim = (isLong = false) =>
  claimQuery(test_.db.prisma, { owner: randomUUID(), leaseMs: 1000, now: new Date(START + 3_600_000), isLong });

const submittersOf = (claims: readonly (QueryClaim | null)[]) => claims.map((claimed) => claimed?.query.submitter_id);

test('QUERY-11: submitters take turns, however many queries one of them has waiting', async () => {
  for (let i = 0; i < 4; i++) await submit(ann);
  await submit(ben);
  await submit(cleo);
  const claims = [];
  for (let i = 0; i < 6; i++) claims.push(await claim());
  expect(submittersOf(claims)).toEqual([ann, ben, cleo, ann, ann, ann]);
  expect(claims.map((claimed) => claimed!.hasMore)).toEqual([true, true, true, true, true, false]);
  expect(await claim()).toBeNull();
});

test('QUERY-11: of one submitter, the query that has waited longest comes first', async () => {
  const ids = [await submit(ann), await submit(ann), await submit(ann)];
  expect([(await claim())!.id, (await claim())!.id, (await claim())!.id]).toEqual(ids);
});

test('workers that claim at the same moment get different queries', async () => {
  const ids = [];
  for (let i = 0; i < 12; i++) ids.push(await submit([ann, ben, cleo][i % 3]!));
  const claimed: string[] = [];
  const worker = async () => {
    for (let found = await claim(); found !== null; found = await claim()) claimed.push(found.id);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  expect(claimed.sort()).toEqual(ids.sort());
});

test('QUERY-10: each lane is claimed for itself; a query that writes a table is in the long one', async () => {
  const short = await submit(ann);
  const writing = await submit(ann, { namespace: 'shop', table: 'orders' });
  const first = await claim(true);
  expect(first).toMatchObject({ id: writing, hasMore: false, query: { is_long: true } });
  expect(await claim(true)).toBeNull();
  expect(await claim()).toMatchObject({ id: short, hasMore: false, query: { is_long: false } });
});

test('QUERY-10: a requeued query waits in the long lane as if it had never started', async () => {
  const id = await submit(ann);
  const first = (await claim())!;
  expect(await requeueQuery(test_.db.prisma, first, true)).toBe(true);
  expect(await findQuery(test_.db.prisma, id)).toMatchObject({ status: 'queued', started_at: null });
  expect(await claim()).toBeNull();
  const second = (await claim(true))!;
  expect(second).toMatchObject({ id, query: { is_long: true } });
  expect(second.fence).toBeGreaterThan(first.fence);
  expect((await test_.db.prisma.query.findUniqueOrThrow({ where: { id } })).attempts).toBe(1);
  // A worker that has lost the query requeues nothing.
  expect(await requeueQuery(test_.db.prisma, first, true)).toBe(false);
  expect(await findQuery(test_.db.prisma, id)).toMatchObject({ status: 'running' });
});

test('a query whose cancellation was requested is not requeued: its worker finishes it', async () => {
  const id = await submit(ann);
  const claimed = (await claim())!;
  const error = { code: 'cancelled', detail: 'no', remedy: null };
  await cancelQuery(test_.db.prisma, { id, error, now: new Date(START) });
  expect(await requeueQuery(test_.db.prisma, claimed, true)).toBe(false);
  expect(await findQuery(test_.db.prisma, id)).toMatchObject({ status: 'running' });
});
