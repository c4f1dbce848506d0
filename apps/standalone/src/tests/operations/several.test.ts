import { once } from 'node:events';
import type { Run, SvcClient } from '@svc/sdk';
import { type Cluster, type Part, startCluster } from '../../testing/cluster.ts';
import { deployFiles } from '../../testing/projects.ts';
import { clientSide } from '../../testing/test-service.ts';

// Two servers and three workers share one database and one store.
const RUNAWAY = 'SELECT sum(a.i * b.i) AS s FROM range(1000000) a(i), range(1000000) b(i)';
const PROJECT = {
  'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n    schedule: { cron: "0 5 1 1 *", timezone: Europe/Berlin }\n',
  'assets/raw/numbers.sql': 'SELECT i AS id FROM range(10) t(i)',
  'assets/core/sum.sql': 'SELECT sum(id)::BIGINT AS total FROM raw.numbers',
};

let cluster: Cluster;
let second: ReturnType<typeof clientSide>;
let workers: Part[];
beforeAll(async () => {
  cluster = await startCluster();
  const [server, ...started] = await Promise.all([
    cluster.startServer(),
    cluster.startWorker(),
    cluster.startWorker(),
    cluster.startWorker(),
  ]);
  second = clientSide(server.url, cluster.folder);
  workers = started;
  const { client } = cluster;
  await client.environments.create('dev');
  await client.repositories.create({ name: 'shop' });
  await deployFiles(client, { env: 'dev', repository: 'shop', folder: cluster.folder }, PROJECT);
});
afterAll(() => cluster.stop());

/** A service account with a token, as a client of each server. */
async function account(name: string): Promise<{ first: SvcClient; second: SvcClient; tokenId: string }> {
  const { client, clientOf } = cluster;
  await client.principals.create({ name, type: 'service-account' });
  const { id, token } = await client.tokens.issue(name, 'laptop');
  return { first: clientOf(token), second: second.clientOf(token), tokenId: id };
}

const refused = (status: number) => expect.objectContaining({ status });

test('a grant that one server creates or revokes applies to the next request at the other', async () => {
  const { client } = cluster;
  const { second } = await account('reader');
  for (let time = 0; time < 10; time++) {
    await expect(second.runs.list('dev')).rejects.toEqual(refused(403));
    const grant = { kind: 'ENVIRONMENT', environment: 'dev', principal: 'reader', role: 'DATA_ENGINEER' } as const;
    const { id } = await client.grants.create(grant);
    expect(await second.runs.list('dev')).toEqual([]);
    await client.grants.revoke(id);
  }
});

test('a token revoked and a principal deactivated at one server open nothing at the other', async () => {
  const { client } = cluster;
  const [one, other] = [await account('one'), await account('other')];
  expect((await one.second.access.me()).name).toBe('one');
  await client.tokens.revoke(one.tokenId);
  await expect(one.second.access.me()).rejects.toEqual(refused(401));
  expect((await other.second.access.me()).name).toBe('other');
  await client.principals.update('other', { active: false });
  await expect(other.second.access.me()).rejects.toEqual(refused(401));
});

test('a query submitted to one server is awaited, read and cancelled through the other', async () => {
  const { queries } = cluster.client;
  const small = await queries.submit('dev', 'SELECT 42 AS n');
  expect(await second.client.queries.wait('dev', small.id)).toMatchObject({ status: 'SUCCEEDED' });
  expect((await second.client.queries.results('dev', small.id)).rows).toEqual([[42]]);
  const long = await queries.submit('dev', RUNAWAY);
  const finished = queries.wait('dev', long.id);
  while ((await second.client.queries.get('dev', long.id)).status !== 'RUNNING');
  await second.client.queries.cancel('dev', long.id);
  expect(await finished).toMatchObject({ status: 'CANCELLED', error: { code: 'cancelled' } });
});

test('the log of a run is followed at any server', async () => {
  const { run } = await cluster.client.jobs.start('dev', 'all');
  const logs = await Promise.all([cluster.client, second.client].map((client) => followed(client, run!)));
  expect(logs[0]).toEqual(logs[1]);
  expect(logs[0]!.length).toBeGreaterThan(0);
  expect(await second.client.runs.wait('dev', run!.id)).toMatchObject({ status: 'succeeded' });
});

async function followed(client: SvcClient, { id }: Run): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of client.runs.logs('dev', id, { follow: true })) lines.push(line);
  return lines;
}

test('a paused scheduler is replaced by another, and starts nothing when it continues', async () => {
  const { client, database } = cluster;
  const { prisma } = database.db;
  await client.principals.create({ name: 'timer', type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', environment: 'dev', principal: 'timer', role: 'DATA_ENGINEER' });
  await client.deployments.setRunAs('dev', 'shop', 'timer');
  const readLease = async () => (await prisma.lease.findFirst({ where: { name: 'scheduler' } }))!;
  const leader = await stopLeader(readLease);
  const lease = await readLease();
  const due = new Date();
  await prisma.job.updateMany({ data: { next_run_at: due } });
  const runs = () => second.client.runs.list('dev', { job: 'all', since: due.toISOString() });
  let startedRun: Run | undefined;
  while (startedRun === undefined) startedRun = (await runs()).find((run) => run.scheduled_for === due.toISOString());
  await second.client.runs.wait('dev', startedRun.id);
  leader.child.kill('SIGCONT');
  // The worker continues and is stopped: it must not release work of another worker.
  expect(await leader.stop()).toBe(0);
  expect(await readLease()).toMatchObject({ holder: lease.holder, fence: lease.fence });
  expect((await runs()).filter((run) => run.trigger === 'schedule')).toHaveLength(1);
});

/** Pauses the worker that holds the leader lease, and waits until another one holds it. */
async function stopLeader(
  readLease: () => Promise<{ holder: string; fence: bigint; expires_at: Date }>,
): Promise<Part> {
  for (const worker of workers) {
    const before = await readLease();
    worker.child.kill('SIGSTOP');
    for (;;) {
      const now = await readLease();
      if (now.holder !== before.holder) return worker;
      // Renewed twice while it was paused, because the first renewal could have been on its way: another worker holds the lease.
      if (now.expires_at.getTime() > before.expires_at.getTime() + 1000) break;
    }
    worker.child.kill('SIGCONT');
  }
  throw new Error('none of the workers is the leader');
}

test('work that waits in a deleted environment is cancelled', async () => {
  const idle = await startCluster();
  const { client, events } = idle;
  const worker = await idle.startWorker();
  await client.environments.create('gone');
  await client.repositories.create({ name: 'shop' });
  await deployFiles(client, { env: 'gone', repository: 'shop', folder: idle.folder }, PROJECT);
  await worker.stop();

  const run = (await client.jobs.start('gone', 'all')).run!;
  const query = await client.queries.submit('gone', 'SELECT 1');
  await client.environments.delete('gone');
  await idle.startWorker();
  while ((await events('RUN_ENDED')).length === 0 || (await events('QUERY_COMPLETED')).length === 0);
  expect((await events('RUN_ENDED'))[0]!.detail).toMatchObject({ run_id: run.id, status: 'cancelled' });
  expect((await events('QUERY_COMPLETED'))[0]!.detail).toMatchObject({ query_id: query.id, status: 'CANCELLED' });
  await client.environments.restore('gone');
  const finished = await client.runs.get('gone', run.id);
  expect(finished).toMatchObject({ status: 'cancelled', error: { code: 'environment-deleted' } });
  expect(finished.tasks.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  await idle.stop();
});

/** A cluster with a table and without a worker, so that work waits. */
async function startShop(): Promise<Cluster> {
  const idle = await startCluster();
  const { client } = idle;
  await client.environments.create('dev');
  await client.namespaces.create('dev', 'shop');
  await client.tables.create('dev', 'shop.orders', { columns: [{ name: 'id', type: 'long' }] });
  return idle;
}

test('a load that waits is rejected if the account that requested it is deactivated or may no longer write', async () => {
  const idle = await startShop();
  const { client } = idle;
  await client.principals.create({ name: 'loader', type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', role: 'DATA_ENGINEER', environment: 'dev', principal: 'loader' });
  const { token } = await client.tokens.issue('loader', 'laptop');
  const rows = Buffer.from('id\n1\n');
  const { id } = await idle.clientOf(token).tables.load('dev', 'shop.orders', rows, { format: 'csv', mode: 'append' });
  const mover = await client.principals.create({ name: 'mover', type: 'service-account' });
  const rights = { kind: 'ENVIRONMENT', role: 'DATA_ENGINEER', environment: 'dev' } as const;
  const grant = await client.grants.create({ ...rights, principal: 'mover' });
  const moved = await client.tokens.issue('mover', 'laptop');
  const load = { format: 'csv', mode: 'append' } as const;
  const second = await idle.clientOf(moved.token).tables.load('dev', 'shop.orders', rows, load);
  await client.principals.update('loader', { active: false });
  await client.grants.revoke(grant.id);
  await idle.startWorker();
  const outcomes = await Promise.all([id, second.id].map((write) => client.writes.wait('dev', write)));
  expect(outcomes.map(({ status, error }) => [status, error?.code, error?.detail])).toEqual([
    ['failed', 'not-allowed', 'The principal that requested the write was deactivated before it started.'],
    ['failed', 'not-allowed', 'You no longer have WRITE_TABLE on shop.orders.'],
  ]);
  const denied = await client.audit.list({ event_type: 'AUTHORIZATION_DENIED', principal_id: mover.id });
  expect(denied).toMatchObject([{ detail: { action: 'WRITE_TABLE' } }]);
  expect(await client.tables.get('dev', 'shop.orders')).toMatchObject({ row_count: 0 });
  await idle.stop();
});

test('work that waits changes no table once its environment is protected, except with break-glass (ENV-5)', async () => {
  const idle = await startShop();
  const { client } = idle;
  const load = (more: object = {}) =>
    client.tables.load('dev', 'shop.orders', Buffer.from('id\n1\n'), { format: 'csv', mode: 'append', ...more });
  const submit = (sql: string, more: object = {}) => client.queries.submit('dev', sql, more);
  const [refusedLoad, allowedLoad] = [await load(), await load({ breakGlass: 'incident 7' })];
  const refused = [
    await submit('INSERT INTO shop.orders VALUES (2)'),
    await submit('SELECT 3::BIGINT AS id', { into: 'shop.orders', mode: 'append' }),
    await submit('SELECT 4::BIGINT AS id', { into: 'shop.more', mode: 'create' }),
    await submit('CREATE TABLE shop.more CLONE shop.orders'),
  ];
  const allowed = [
    await submit('INSERT INTO shop.orders VALUES (5)', { breakGlass: 'incident 7' }),
    await submit('DELETE FROM shop.orders', { dry_run: true }),
    await submit('SELECT 6'),
  ];
  await client.environments.update('dev', { protected: true });
  await idle.startWorker();
  const protectedFirst = {
    code: 'not-allowed',
    detail: expect.stringContaining('dev was protected before this started'),
  };
  expect(await client.writes.wait('dev', refusedLoad.id)).toMatchObject({ status: 'failed', error: protectedFirst });
  expect(await client.writes.wait('dev', allowedLoad.id)).toMatchObject({ status: 'succeeded' });
  for (const { id } of refused)
    expect(await client.queries.wait('dev', id)).toMatchObject({ status: 'FAILED', error: protectedFirst });
  for (const { id } of allowed) expect(await client.queries.wait('dev', id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await client.tables.get('dev', 'shop.orders')).toMatchObject({ row_count: 2 });
  const denied = await client.audit.list({ event_type: 'AUTHORIZATION_DENIED' });
  expect(denied.map(({ detail }) => detail['reason'])).toEqual(Array(5).fill('environment dev is protected'));
  await idle.stop();
});

test('maintenance that waits is rejected if the account that requested it is deactivated or may no longer maintain the table', async () => {
  const idle = await startShop();
  const { client } = idle;
  await client.tables.truncate('dev', 'shop.orders');
  const snapshots = await client.tables.snapshots('dev', 'shop.orders');
  const request = async (name: string) => {
    const { id: principal } = await client.principals.create({ name, type: 'service-account' });
    const rights = { kind: 'ENVIRONMENT', role: 'DATA_ENGINEER', environment: 'dev' } as const;
    const grant = await client.grants.create({ ...rights, principal: name });
    const { token } = await client.tokens.issue(name, 'laptop');
    const options = { compact: true, expireSnapshotsOlderThanDays: 0 };
    const { id } = await idle.clientOf(token).tables.maintain('dev', 'shop.orders', options);
    return { principal, grant, id };
  };
  const requests = [await request('leaver'), await request('mover')];
  const [leaver, mover] = requests;
  await client.principals.update('leaver', { active: false });
  await client.grants.revoke(mover!.grant.id);
  await idle.startWorker();
  const outcomes = await Promise.all(requests.map(({ id }) => client.maintenance.wait('dev', id)));
  expect(outcomes.map(({ status, error }) => [status, error?.code, error?.detail])).toEqual([
    ['failed', 'not-allowed', 'The principal that requested the maintenance was deactivated before it was done.'],
    ['failed', 'not-allowed', 'You no longer have MAINTAIN_TABLE on shop.orders.'],
  ]);
  const deniedOf = ({ principal }: { principal: string }) =>
    client.audit.list({ event_type: 'AUTHORIZATION_DENIED', principal_id: principal });
  expect(await deniedOf(mover!)).toMatchObject([{ detail: { action: 'MAINTAIN_TABLE' } }]);
  expect(await deniedOf(leaver!)).toEqual([]);
  expect(await client.tables.snapshots('dev', 'shop.orders')).toEqual(snapshots);
  await idle.stop();
});

test('maintenance that runs expires nothing if the account that requested it is deactivated', async () => {
  const idle = await startShop();
  const { client } = idle;
  for (let i = 0; i < 2; i++) await client.tables.truncate('dev', 'shop.orders');
  await client.principals.create({ name: 'leaver', type: 'service-account' });
  const rights = { kind: 'ENVIRONMENT', role: 'DATA_ENGINEER', environment: 'dev' } as const;
  await client.grants.create({ ...rights, principal: 'leaver' });
  const { token } = await client.tokens.issue('leaver', 'laptop');
  const worker = await idle.startWorker('maintenance.rewritten', 'SIGSTOP');
  const paused = once(worker.child, 'message');
  const options = { compact: true, expireSnapshotsOlderThanDays: 0 };
  const { id } = await idle.clientOf(token).tables.maintain('dev', 'shop.orders', options);
  await paused;
  await client.principals.update('leaver', { active: false });
  worker.child.kill('SIGCONT');
  expect(await client.maintenance.wait('dev', id)).toMatchObject({
    status: 'failed',
    error: {
      code: 'not-allowed',
      detail: 'The principal that requested the maintenance was deactivated before it was done.',
    },
  });
  expect(await client.tables.snapshots('dev', 'shop.orders')).toHaveLength(2);
  await idle.stop();
});
