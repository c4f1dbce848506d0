import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, silent } from '@svc/db/connection';
import { type EmbeddedServer, startEmbedded } from '@svc/db/embedded';
import { migrate } from '@svc/db/migrate';
import { type Cluster, startCluster } from '../../testing/cluster.ts';
import { makeOrders, rowsOf } from '../../testing/orders.ts';

// PostgreSQL is killed under a busy server and two busy workers; this process, which uses it too, restarts it.
let folder: string;
let postgres: EmbeddedServer;
let db: Database;
let cluster: Cluster;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-killed-'));
  await chmod(folder, 0o755);
  postgres = await startEmbedded({ dataDir: join(folder, 'database'), log: silent });
  await migrate(postgres.url, { log: silent });
  db = await openDatabase({ url: postgres.url, log: silent, poolSize: 1 });
  cluster = await startCluster({ SVC_DATABASE_URL: postgres.url });
  await Promise.all([cluster.startWorker(), cluster.startWorker()]);
  await makeOrders(cluster.client, 'dev');
}, 60_000);
afterAll(async () => {
  await cluster.stop();
  await db.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** When PostgreSQL started; null while it is down. */
const startedAt = () =>
  db.prisma.$queryRaw<{ at: string }[]>`SELECT pg_postmaster_start_time()::text AS at`.then(
    ([row]) => row!.at,
    () => null,
  );

const ready = () => fetch(`${cluster.url}/readyz`).then(({ status }) => status);

test('PostgreSQL killed: refusals while it is away, and then all that was accepted is done once', async () => {
  const { client, call } = cluster;
  const first = await startedAt();
  const before = await client.tables.get('dev', 'shop.orders');
  const accepted: string[] = [];
  let killed = false;
  const send = async () => {
    while (!killed) {
      const body = Buffer.from('id\n1\n2\n');
      const sent = await client.tables.load('dev', 'shop.orders', body, { format: 'csv' }).catch(() => null);
      if (sent !== null) accepted.push(sent.id);
      if (accepted.length < 6 || killed) continue;
      killed = true;
      process.kill(postgres.pid, 'SIGKILL');
    }
  };
  await Promise.all([send(), send()]);
  const met = new Set<number>();
  // PostgreSQL's processes may respond for a moment after the first of them was killed.
  while ([first, null].includes(await startedAt()) || (await ready()) !== 200)
    met.add((await call('GET', '/environments')).status);
  met.add((await call('GET', '/environments')).status);
  expect([...met].filter((status) => status !== 503)).toEqual([200]);
  for (const id of accepted)
    expect(await client.writes.wait('dev', id)).toMatchObject({ status: 'succeeded', rows: 2 });
  const after = await client.tables.get('dev', 'shop.orders');
  const loads = (await cluster.events('TABLE_WRITE')).length;
  expect(after.row_count).toBe(before.row_count! + 2 * loads);
  expect(loads).toBeGreaterThanOrEqual(accepted.length);
  expect(await rowsOf(client, 'dev', 'SELECT count(*) FROM shop.orders')).toEqual([[after.row_count]]);
}, 120_000);
