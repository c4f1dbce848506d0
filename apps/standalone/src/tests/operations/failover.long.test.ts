import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, silent } from '@svc/db/connection';
import { migrate } from '@svc/db/migrate';
import { ReplicatedServer } from '@svc/db/testing';
import { type Cluster, type Part, startCluster } from '../../testing/cluster.ts';
import { Load, type Relay, startRelay } from '../../testing/failover/index.ts';
import { makeOrders, rowsOf } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { clientSide } from '../../testing/test-service.ts';

// Two servers and two workers on a primary with a synchronous standby, behind one address. In each round the primary is
// killed under load, the standby is promoted, and the address moves to it.
const ROUNDS = 2;
const LOADS = ['north', 'south'];

let folder: string;
let primary: ReplicatedServer;
let relay: Relay;
let db: Database;
let cluster: Cluster;
let parts: Part[];
let urls: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-failover-'));
  await chmod(folder, 0o755);
  primary = await ReplicatedServer.create(join(folder, 'database'));
  await migrate(primary.url, { log: silent });
  relay = await startRelay(primary.port);
  const url = new URL(primary.url);
  url.port = String(relay.port);
  db = await openDatabase({ url: url.href, log: silent, poolSize: 1 });
  cluster = await startCluster({ SVC_DATABASE_URL: url.href, SVC_WORKER__LEASE_SECONDS: '5' });
  const second = await cluster.startServer();
  parts = [cluster.server, second, await cluster.startWorker(), await cluster.startWorker()];
  urls = [cluster.url, second.url];
  await makeOrders(cluster.client, 'dev');
  await cluster.client.principals.create({ name: 'timer', type: 'service-account' });
  const grant = { kind: 'ENVIRONMENT', environment: 'dev', principal: 'timer', role: 'DATA_ENGINEER' } as const;
  await cluster.client.grants.create(grant);
  for (const name of LOADS) await deployJob(name, '');
  await deployJob('timed', '    schedule: { cron: "0 5 1 1 *", timezone: Europe/Berlin }\n');
  await cluster.client.deployments.setRunAs('dev', 'timed', 'timer');
}, 120_000);
afterAll(async () => {
  await cluster.stop();
  await db.close();
  await relay.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A project with a job of the same name, whose runs each add a row to a table. */
async function deployJob(name: string, schedule: string): Promise<void> {
  await cluster.client.repositories.create({ name });
  const files = {
    'svc.yaml': `name: ${name}\njobs:\n  ${name}:\n    select: ["*"]\n${schedule}`,
    [`assets/ticks/${name}.sql`]: '/* svc\nmode: append\n*/\nSELECT 1 AS n',
  };
  const deploy = await deployFiles(cluster.client, { env: 'dev', repository: name, folder }, files);
  expect(deploy).toMatchObject({ status: 'succeeded' });
}

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'round %i: the primary is killed under load, and what was acknowledged is there once after the standby takes over',
  async (round) => {
    const standby = await primary.addStandby(`standby${round}`);
    const loads = LOADS.map((name, i) => new Load(clientSide(urls[i]!, folder).call, name));
    const rounds = Math.min(...loads.map((load) => load.rounds)) + 3;
    await Promise.all(loads.map((load) => load.reached(rounds)));
    const due = new Date();
    await db.prisma.job.updateMany({ where: { name: 'timed' }, data: { next_run_at: due } });
    const killedAt = performance.now();
    primary.kill();
    relay.pointTo(null);
    await standby.promote();
    relay.pointTo(standby.port);
    primary = standby;
    await Promise.all(loads.map((load) => load.reached(load.rounds + 1)));
    const pauseMs = performance.now() - killedAt;
    await Promise.all(loads.map((load) => load.reached(load.rounds + 2)));
    await Promise.all(loads.map((load) => load.stop()));
    report(round, pauseMs, loads);
    await everythingOnce(loads, due);
  },
);

function report(round: number, pauseMs: number, loads: Load[]): void {
  const setbacks = loads.flatMap((load) => load.caller.setbacks);
  const counts = [...new Set(setbacks)].map((text) => `${setbacks.filter((other) => other === text).length} × ${text}`);
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  process.stderr.write(
    `round ${round}: every loop continued within ${Math.round(pauseMs)} ms; ${sum((l) => l.writes.length)} writes, ${sum((l) => l.namespaces.length)} namespaces, ${sum((l) => l.runs.length)} runs, ${sum((l) => l.queries)} queries; ${counts.join(', ')}\n`,
  );
}

async function everythingOnce(loads: Load[], due: Date): Promise<void> {
  const { client, events } = cluster;
  for (const { write } of loads.flatMap(({ writes }) => writes))
    expect(await client.writes.wait('dev', write)).toMatchObject({ status: 'succeeded', rows: 1, error: null });
  const rows = loads.flatMap(({ writes }) => writes.map(({ row }) => row));
  const stored = (await rowsOf(client, 'dev', 'SELECT id FROM shop.orders ORDER BY id')).map(([id]) => Number(id));
  expect(stored.filter((id) => rows.includes(id))).toEqual(rows.sort((a, b) => a - b));
  expect(stored).toEqual([...new Set(stored)]);
  const known = new Set<string>();
  for await (const { path } of client.namespaces.iter('dev')) known.add(path);
  for (const path of loads.flatMap(({ namespaces }) => namespaces)) expect(known).toContain(path);

  const scheduled = await until(async () => {
    const runs = await client.runs.list('dev', { job: 'timed', since: due.toISOString() });
    return runs.filter((run) => run.scheduled_for === due.toISOString());
  });
  await client.runs.wait('dev', scheduled[0]!.id);
  for (const name of [...LOADS, 'timed']) {
    const runs = await db.prisma.run.findMany({ where: { job: name } });
    expect(runs.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    const [[ticks]] = (await rowsOf(client, 'dev', `SELECT count(*) FROM ticks.${name}`)) as [[number]];
    expect([name, ticks]).toEqual([name, runs.length]);
  }
  const acknowledged = loads.flatMap(({ runs }) => runs);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  const started = (await events('RUN_STARTED')).map(({ detail }) => detail['run_id']);
  expect(started).toEqual([...new Set(started)]);
  for (const id of acknowledged) expect(started).toContain(id);
  expect(scheduled).toHaveLength(1);
  expect(await client.audit.verify()).toMatchObject({ intact: true, problem: null });
  const setbacks = loads.flatMap((load) => load.caller.setbacks);
  expect(setbacks.filter((text) => text !== '503 database-unavailable')).toEqual([]);
  for (const { child } of parts) expect([child.exitCode, child.signalCode]).toEqual([null, null]);
}

/** Repeats until there is an item. */
async function until<T>(read: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const found = await read();
    if (found.length > 0) return found;
  }
}
