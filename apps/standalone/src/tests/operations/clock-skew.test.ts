import { type Cluster, startCluster } from '../../testing/cluster.ts';
import { deployFiles } from '../../testing/projects.ts';
import { clientSide } from '../../testing/test-service.ts';

// A server and a worker on machines whose clocks are ten minutes ahead, and another of each ten minutes behind.
const SKEW_MS = 600_000;
const MINUTE_MS = 60_000;
const project = (name: string, schedule: string) => ({
  'svc.yaml': `name: ${name}\njobs:\n  ${name}:\n    select: ["*"]\n${schedule}`,
  [`assets/made/${name}.sql`]: 'SELECT 1 AS n',
});
const YEARLY = '    schedule: { cron: "0 5 1 1 *" }\n';

let cluster: Cluster;
let servers: ReturnType<typeof clientSide>[];
beforeAll(async () => {
  cluster = await startCluster();
  const started = await Promise.all([cluster.startServer(SKEW_MS), cluster.startServer(-SKEW_MS)]);
  servers = started.map(({ url }) => clientSide(url, cluster.folder));
  await Promise.all([cluster.startSkewedWorker(SKEW_MS), cluster.startSkewedWorker(-SKEW_MS)]);
  const { client } = cluster;
  await client.environments.create('dev');
  await client.principals.create({ name: 'timer', type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', environment: 'dev', principal: 'timer', role: 'DATA_ENGINEER' });
  for (const name of ['now', 'later']) {
    await client.repositories.create({ name });
    await deployFiles(client, { env: 'dev', repository: name, folder: cluster.folder }, project(name, YEARLY));
    await client.deployments.setRunAs('dev', name, 'timer');
  }
}, 60_000);
afterAll(() => cluster.stop());

test('the leader lease stays with one worker while it is renewed', async () => {
  const readLease = () => cluster.database.db.prisma.lease.findFirstOrThrow({ where: { name: 'scheduler' } });
  const first = await readLease();
  let renewed = first;
  for (let times = 0; times < 4; ) {
    const lease = await readLease();
    if (lease.expires_at.getTime() !== renewed.expires_at.getTime()) times++;
    renewed = lease;
  }
  expect([renewed.holder, renewed.fence]).toEqual([first.holder, first.fence]);
});

test('a due time starts once and on time, and a time in five minutes starts nothing', async () => {
  const { client, database } = cluster;
  const { prisma } = database.db;
  const [due, later] = [new Date(), new Date(Date.now() + 5 * MINUTE_MS)];
  await prisma.job.updateMany({ where: { name: 'later' }, data: { next_run_at: later } });
  await prisma.job.updateMany({ where: { name: 'now' }, data: { next_run_at: due } });
  const runs = (job: string) => client.runs.list('dev', { job });
  while ((await runs('now')).length === 0);
  const [run] = await runs('now');
  expect(await client.runs.wait('dev', run!.id)).toMatchObject({ status: 'succeeded', missed: 0 });
  expect(run!.scheduled_for).toBe(due.toISOString());
  expect(Date.parse(run!.created_at)).toBeGreaterThanOrEqual(due.getTime());
  expect(Date.parse(run!.created_at)).toBeLessThan(due.getTime() + MINUTE_MS);
  expect(await runs('now')).toHaveLength(1);
  expect(await runs('later')).toEqual([]);
  const next = await prisma.job.findFirstOrThrow({ where: { name: 'now' } });
  expect(next.next_run_at!.getTime()).toBeGreaterThan(due.getTime() + MINUTE_MS);
});

test('work that takes longer than its lease stays with its worker', async () => {
  const { client, database } = cluster;
  const { prisma } = database.db;
  const [first, second] = servers;
  const sql = 'SELECT count(*) AS n FROM range(600000000) t(i) WHERE hash(i) % 3 = 1';
  const submitted = await Promise.all([first!, second!].map(({ client: at }) => at.queries.submit('dev', sql)));
  for (const { id } of submitted) expect(await client.queries.wait('dev', id)).toMatchObject({ status: 'SUCCEEDED' });
  const ids = submitted.map(({ id }) => id);
  const rows = await prisma.query.findMany({ where: { id: { in: ids } } });
  expect(rows.map(({ attempts }) => attempts)).toEqual(ids.map(() => 1));
  for (const { created_at, started_at, ended_at } of rows) {
    expect(started_at!.getTime()).toBeGreaterThanOrEqual(created_at.getTime() - 1000);
    expect(ended_at!.getTime()).toBeGreaterThan(started_at!.getTime());
  }
});

test('a token expires at every server at the same time', async () => {
  const { client } = cluster;
  const issue = (name: string, ms: number) =>
    client.tokens.issue('timer', name, { expires_at: new Date(Date.now() + ms) });
  const [short, long] = [await issue('short', 2000), await issue('long', 5 * MINUTE_MS)];
  for (const { call } of servers) {
    const status = async ({ token }: { token: string }) => (await call('GET', '/me', { token })).status;
    while ((await status(short)) !== 401);
    expect(await status(long)).toBe(200);
  }
});
