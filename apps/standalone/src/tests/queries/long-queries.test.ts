import type { Query } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Two slots: one for long queries, one that is left to short ones. */
let s: TestService;

beforeAll(async () => {
  s = await startTestService({ SVC_WORKER__CONCURRENCY: '2' });
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
  // More than 16 MB, because random numbers can't be compressed.
  const into = { into: 'shop.large', mode: 'create' } as const;
  await s.client.queries.run('dev', 'SELECT random() AS x FROM range(3000000)', into);
});
afterAll(() => s.stop());

/** Runs for minutes unless it is stopped. No two are identical, or they would share one execution. */
let next = 0;
const endless = () => `SELECT count(*) AS n FROM shop.large a, shop.large b WHERE hash(a.x, b.x, ${next++}) % 3 = 1`;

const submit = async (sql: string) => (await s.client.queries.submit('dev', sql)).id;
const cancel = async (id: string) => {
  await s.client.queries.cancel('dev', id);
  return s.client.queries.wait('dev', id);
};

async function reached(id: string, isReached: (query: Query) => boolean): Promise<Query> {
  for (;;) {
    const query = await s.client.queries.get('dev', id);
    if (isReached(query)) return query;
  }
}

/** The engine reports progress, so the plan was made. */
const running = (id: string) => reached(id, ({ progress }) => progress !== null);

const isLong = async (id: string) => (await s.database.db.prisma.query.findUniqueOrThrow({ where: { id } })).is_long;

test('QUERY-10: short queries run while long ones wait, which are queued until they may run', async () => {
  const first = await submit(endless());
  await running(first);
  // A worker sees from its plan that the second is long, and returns it to the queue.
  const second = await submit(endless());
  while (!(await isLong(second)));
  expect(await s.client.queries.get('dev', second)).toMatchObject({ status: 'QUEUED', started_at: null });

  expect(await rowsOf(s.client, 'dev', 'SELECT 1 AS one')).toEqual([[1]]);
  expect(await s.client.queries.get('dev', second)).toMatchObject({ status: 'QUEUED' });

  expect(await cancel(first)).toMatchObject({ status: 'CANCELLED' });
  expect((await running(second)).started_at).not.toBeNull();
  expect(await cancel(second)).toMatchObject({ status: 'CANCELLED' });
  const { attempts } = await s.database.db.prisma.query.findUniqueOrThrow({ where: { id: second } });
  expect(attempts).toBe(1);
});

test('QUERY-10: a client that waits for a long query gets its result', async () => {
  const first = await submit(endless());
  await running(first);
  const waiting = s.call('POST', '/environments/dev/queries?wait=60', {
    body: { sql: 'SELECT count(*) AS n FROM shop.large' },
  });
  const listed = () => s.client.queries.list('dev', { status: 'QUEUED' });
  while ((await listed()).length === 0);
  await cancel(first);
  expect(await waiting).toMatchObject({ status: 201, body: { status: 'SUCCEEDED', result: { rows: [[3_000_000]] } } });
});

test('QUERY-10: identical long queries that wait for one execution are long too', async () => {
  const sql = endless();
  const first = await submit(sql);
  await running(first);
  const second = await submit(sql);
  while (!(await isLong(second)));
  expect(await rowsOf(s.client, 'dev', 'SELECT 3 AS three')).toEqual([[3]]);
  for (const id of [first, second]) expect(await cancel(id)).toMatchObject({ status: 'CANCELLED' });
});

test('QUERY-8: a cached result needs no slot, and a query without one waits in the queue after a moment', async () => {
  const sql = 'SELECT 4 AS four';
  const answered = (text: string) => s.call('POST', '/environments/dev/queries?wait=60', { body: { sql: text } });
  expect((await answered(sql)).body.cached).toBeUndefined();
  const [long, short] = [await submit(endless()), await submit(`SELECT count(*) AS n FROM range(${1e12 + next++})`)];
  for (const id of [long, short]) await running(id);
  expect((await answered(sql)).body).toMatchObject({ status: 'SUCCEEDED', cached: true, result: { rows: [[4]] } });
  const waiting = answered('SELECT 5 AS five');
  const listed = () => s.client.queries.list('dev', { status: 'QUEUED' });
  while ((await listed()).length === 0);
  for (const id of [long, short]) await cancel(id);
  expect((await waiting).body).toMatchObject({ status: 'SUCCEEDED', result: { rows: [[5]] } });
});

test('QUERY-10: a query that writes a table waits among the long ones', async () => {
  const first = await submit(endless());
  await running(first);
  const { id } = await s.client.queries.submit('dev', 'SELECT 1 AS n', { into: 'shop.one', mode: 'create' });
  expect(await rowsOf(s.client, 'dev', 'SELECT 2 AS two')).toEqual([[2]]);
  expect(await s.client.queries.get('dev', id)).toMatchObject({ status: 'QUEUED' });
  await cancel(first);
  expect(await s.client.queries.wait('dev', id)).toMatchObject({ status: 'SUCCEEDED' });
});

test('QUERY-10: loads and long queries take turns', async () => {
  const first = await submit(endless());
  await running(first);
  const columns = [{ name: 'n', type: 'int', nullable: true, description: null }];
  await s.client.tables.create('dev', 'shop.loaded', { kind: 'managed', columns });
  const into = async (i: number) =>
    (await s.client.queries.submit('dev', 'SELECT 1 AS n', { into: `shop.turn_${i}`, mode: 'create' })).id;
  const ids = [await into(1), await into(2), await into(3)];
  const write = await s.client.tables.load('dev', 'shop.loaded', Buffer.from('n\n1\n'), { format: 'csv' });
  await cancel(first);
  for (const id of ids) expect(await s.client.queries.wait('dev', id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await s.client.writes.wait('dev', write.id)).toMatchObject({ status: 'succeeded' });
  const rows = s.database.db.prisma;
  const load = await rows.write.findUniqueOrThrow({ where: { id: write.id } });
  const third = await rows.query.findUniqueOrThrow({ where: { id: ids[2]! } });
  expect(load.started_at!.getTime()).toBeLessThanOrEqual(third.started_at!.getTime());
});
