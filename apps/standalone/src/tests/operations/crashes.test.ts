import { request } from 'node:http';
import {
  CrashStage,
  crashChange,
  crashClone,
  crashDeploy,
  crashInto,
  crashLoad,
  crashMaintenance,
  crashRun,
  crashSchedule,
  deployTimed,
} from '../../testing/crash-tests.ts';
import { TOKEN } from '../../testing/test-service.ts';

// Each kind of work at its most dangerous step; crashes.long.test.ts has the others.
let stage: CrashStage;
beforeAll(async () => {
  stage = await CrashStage.open();
});
afterAll(() => stage.close());

describe('a worker killed between files and commit', () => {
  test('of a load', () => crashLoad(stage, 'commit.prepared'));
  test('of a query that creates a table', () => crashInto(stage, 'commit.prepared', 'create'));
  test('of a clone (TABLE-24)', () => crashClone(stage, 'clone.copied'));
  test('of a statement that changes rows', () => crashChange(stage, 'commit.prepared'));
  test('of a deploy', () => crashDeploy(stage, 'deploy.archived'));
  test('of a run', () => crashRun(stage, 'commit.prepared'));
  test('of a compaction', () => crashMaintenance(stage, 'commit.prepared'));
});

describe('a worker killed after a due time was recorded (JOBS-4)', () => {
  beforeAll(() => deployTimed(stage));
  test.each(['time.enqueued', 'run.ending'] as const)('at "%s"', (step) => crashSchedule(stage, step));
});

test('a server killed in the middle of an upload leaves no write and, after the sweep, no file', async () => {
  const { cluster } = stage;
  const second = await cluster.startServer();
  const writes = await cluster.database.db.prisma.write.count();
  const upload = request(`${second.url}/api/v1/environments/dev/namespaces/shop/tables/orders/writes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'text/csv' },
  });
  const broken = new Promise((resolve) => upload.once('error', resolve));
  upload.write(`id\n${'1\n'.repeat(100_000)}`);
  while ((await cluster.stored('staged')).length === 0);
  expect(await second.kill()).toBe('SIGKILL');
  await broken;
  expect(await cluster.stored('staged')).toEqual([expect.stringMatching(/\.partial$/)]);
  await stage.expectNoOrphans(await stage.dataFiles());
  expect(await cluster.database.db.prisma.write.count()).toBe(writes);
});

test("a server killed between an engine's metadata file and the pointer leaves the table as it was", async () => {
  const { cluster } = stage;
  const { db } = cluster.database;
  const { location } = await cluster.client.tables.get('dev', 'shop.orders');
  const files = async () => (await cluster.stored('.')).filter((file) => file.includes(location!.split('/').at(-1)!));
  const before = { files: (await files()).sort(), snapshots: await stage.snapshots('shop.orders') };
  const second = await cluster.startServer();
  const commit = (url: string) =>
    fetch(`${url}/catalog/v1/dev/namespaces/shop/tables/orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ requirements: [], updates: [{ action: 'set-properties', updates: { a: 'b' } }] }),
    });
  await db.prisma.$transaction(async (tx) => {
    // The commit has written its file and waits for this lock; then the server dies, and its statement with it.
    await tx.$executeRaw`SELECT 1 FROM tables WHERE location = ${location} FOR UPDATE`;
    const broken = commit(second.url).catch(() => 'broken');
    const waiting = () => db.prisma.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await waiting()).length === 0);
    expect(await second.kill()).toBe('SIGKILL');
    for (const { pid } of await waiting()) await db.prisma.$executeRaw`SELECT pg_terminate_backend(${pid}::int)`;
    expect(await broken).toBe('broken');
  });
  expect((await files()).length).toBe(before.files.length + 1);
  expect(await stage.snapshots('shop.orders')).toBe(before.snapshots);
  await cluster.sweep();
  expect((await files()).sort()).toEqual(before.files);
  expect((await commit(cluster.url)).status).toBe(200);
});

test('two workers share the work and do no piece of it twice', async () => {
  const { cluster } = stage;
  const before = await stage.snapshots('shop.orders');
  const third = await cluster.startWorker();
  const ids = await Promise.all(Array.from({ length: 8 }, () => stage.load()));
  const writes = await Promise.all(ids.map((id) => cluster.client.writes.wait('dev', id)));
  expect(writes.map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
  expect(await stage.snapshots('shop.orders')).toBe(before + ids.length);
  const rows = await cluster.database.db.prisma.write.findMany({ where: { id: { in: ids } } });
  expect(rows.map(({ attempts }) => attempts)).toEqual(ids.map(() => 1));
  await third.stop();
});

test('a worker that was paused until its lease expired finishes nothing', async () => {
  const { cluster } = stage;
  const before = { snapshots: await stage.snapshots('shop.orders'), files: await stage.dataFiles() };
  const { finished, wake } = await stage.stall('commit.prepared', async () =>
    cluster.client.writes.wait('dev', await stage.load()),
  );
  const { id } = finished;
  const row = await cluster.database.db.prisma.write.findUnique({ where: { id } });
  expect(row).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(await wake()).toBe(0);
  expect(await cluster.database.db.prisma.write.findUnique({ where: { id } })).toEqual(row);
  expect(await stage.snapshots('shop.orders')).toBe(before.snapshots + 1);
  await stage.expectNoOrphans(before.files + 1);
});

describe('work that fails by its own doing is not retried (RUN-6)', () => {
  const failed = { status: 'failed', error: { code: 'worker-lost', detail: expect.stringContaining('not retried') } };

  test('of a load, which leaves the table and no file', async () => {
    const { client, database } = stage.cluster;
    const before = { snapshots: await stage.snapshots('shop.orders'), files: await stage.dataFiles() };
    const write = await stage.fail('commit.prepared', async () => client.writes.wait('dev', await stage.load()));
    expect(write).toMatchObject(failed);
    expect(await database.db.prisma.write.findUnique({ where: { id: write.id } })).toMatchObject(failed);
    expect(await stage.snapshots('shop.orders')).toBe(before.snapshots);
    await stage.expectNoOrphans(before.files);
  });

  test('of a load on a full disk of the database, which names that', async () => {
    const { client } = stage.cluster;
    const before = { snapshots: await stage.snapshots('shop.orders'), files: await stage.dataFiles() };
    const load = async () => client.writes.wait('dev', await stage.load());
    const write = await stage.fail('commit.prepared', load, 'full');
    expect(write).toMatchObject({
      status: 'failed',
      error: { code: 'storage-full', detail: expect.stringContaining('The disk of the database is full') },
    });
    expect(await stage.snapshots('shop.orders')).toBe(before.snapshots);
    await stage.expectNoOrphans(before.files);
  });

  test('of a query, with its event', async () => {
    const { client, database, events } = stage.cluster;
    const completed = (await events('QUERY_COMPLETED')).length;
    const query = await stage.fail('claimed', async () =>
      client.queries.wait('dev', (await client.queries.submit('dev', 'SELECT 1')).id),
    );
    expect(query).toMatchObject({ ...failed, status: 'FAILED' });
    expect(await database.db.prisma.query.findUnique({ where: { id: query.id } })).toMatchObject(failed);
    expect(await events('QUERY_COMPLETED')).toHaveLength(completed + 1);
  });
});
