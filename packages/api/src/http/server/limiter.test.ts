import { addRequestCounts, removeRequestCounts } from '@svc/db/quotas';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { createLimiter, type Limiter, type ShareCounts } from './limiter.ts';

const TOKEN = '01997c2e-7b7a-7c1e-8000-000000000001';
const OTHER = '01997c2e-7b7a-7c1e-8000-000000000002';
const NOW = new Date('2026-03-01T00:00:10Z');
const NEXT = new Date('2026-03-01T00:01:00Z');

const times = (limiter: Limiter, n: number, key = TOKEN, now = NOW): string[] =>
  Array.from({ length: n }, () => {
    try {
      limiter.consume(key, now);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  });

test('a key has its limit in each minute', () => {
  const limiter = createLimiter(2, 'This token may');
  const refused = 'This token may send 2 requests per minute. Try again in 50 s.';
  expect(times(limiter, 3)).toEqual(['accepted', 'accepted', refused]);
  expect(times(limiter, 1, OTHER)).toEqual(['accepted']);
  expect(times(limiter, 1, TOKEN, NEXT)).toEqual(['accepted']);
  expect(times(createLimiter(0, 'This token may'), 3)).toEqual(['accepted', 'accepted', 'accepted']);
});

test('memory is bounded: further keys of a minute are not counted', () => {
  const limiter = createLimiter(1, 'This address may');
  for (let i = 0; i < 100_000; i++) limiter.consume(String(i), NOW);
  expect(times(limiter, 3, 'one more')).toEqual(['accepted', 'accepted', 'accepted']);
  expect(times(limiter, 1, '0')[0]).toContain('Try again');
});

describe('several servers', () => {
  let database: TestDatabase;
  let share: ShareCounts;
  beforeAll(async () => {
    database = await createTestDatabase();
    share = (minute, counts) => addRequestCounts(database.db.prisma, { minute, counts });
  });
  afterAll(() => database.drop());
  const rows = () => database.db.prisma.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM request_counts`;

  test('count together (SERVICE-17)', async () => {
    const [a, b] = [createLimiter(5, 'This token may'), createLimiter(5, 'This token may')];
    times(a, 3);
    times(b, 2);
    await a.reconcile(share);
    await b.reconcile(share);
    expect(times(b, 1)[0]).toContain('Try again');
    // The first one learns about the other with its next request.
    expect(times(a, 1)).toEqual(['accepted']);
    await a.reconcile(share);
    expect(times(a, 1)[0]).toContain('Try again');
    expect(times(a, 1, OTHER)).toEqual(['accepted']);
  });

  test('a request that arrives during a reconciliation is counted once, and an outage loses nothing', async () => {
    const limiter = createLimiter(4, 'This token may');
    times(limiter, 2, OTHER, NEXT);
    await expect(limiter.reconcile(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
    await limiter.reconcile(async (minute, counts) => {
      times(limiter, 1, OTHER, NEXT);
      return share(minute, counts);
    });
    expect(times(limiter, 2, OTHER, NEXT)).toEqual(['accepted', expect.stringContaining('Try again')]);
  });

  test('a reconciliation that returns in the next minute changes nothing there', async () => {
    const limiter = createLimiter(2, 'This token may');
    times(limiter, 2);
    await limiter.reconcile(async (minute, counts) => {
      times(limiter, 1, TOKEN, NEXT);
      return share(minute, counts);
    });
    expect(times(limiter, 2, TOKEN, NEXT)).toEqual(['accepted', expect.stringContaining('Try again')]);
  });

  test('counts of earlier minutes are removed', async () => {
    await removeRequestCounts(database.db.prisma, Number.MAX_SAFE_INTEGER);
    expect(await rows()).toEqual([{ n: 0 }]);
  });
});
