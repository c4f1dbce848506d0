import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, silent } from '@svc/db/connection';
import { type EmbeddedServer, startEmbedded } from '@svc/db/embedded';
import { migrationsFolder, planMigrations } from '@svc/db/migrate';
import { type Run, SvcClient } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import {
  admin,
  buildOldVersion,
  type LoadBalancer,
  NEW_FOLDER,
  newSchema,
  type OldVersion,
  type Program,
  startLoadBalancer,
  startServer,
  startWorker,
  Traffic,
} from '../../testing/upgrade/index.ts';

const TOKEN = 'test-administrator-token';
/** Some seconds of work on one thread. */
const LONG = 'SELECT count(*) AS n FROM range(3000000000) t(i) WHERE hash(i) % 3 = 1';
const PROJECTS = {
  timed: {
    'svc.yaml': 'name: timed\njobs:\n  minutely:\n    select: ["raw.*"]\n    schedule: { cron: "* * * * *" }\n',
    'assets/raw/ticks.sql': '/* svc\nmode: append\n*/\nSELECT 1 AS n',
  },
  slow: { 'svc.yaml': 'name: slow\njobs:\n  once:\n    select: ["slow.*"]\n', 'assets/slow/one.sql': LONG },
};

let folder: string;
let old: OldVersion;
let database: EmbeddedServer;
let db: Database;
let settings: Record<string, string>;
const running: Program[] = [];

const balancers: LoadBalancer[] = [];

const clientOf = ({ url }: { url: string }) => new SvcClient({ url, token: TOKEN });
const server = async (of: string) => track(await startServer(of, settings));
const worker = async (of: string, api: string) => track(await startWorker(of, settings, api));

async function balance(first: Program): Promise<LoadBalancer> {
  const balancer = await startLoadBalancer(first.url);
  balancers.push(balancer);
  return balancer;
}

function track(program: Program): Program {
  running.push(program);
  return program;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
  // When run by root, the database runs as another account, which must be able to read this folder.
  await chmod(folder, 0o755);
  old = buildOldVersion(folder);
  database = await startEmbedded({ dataDir: join(folder, 'database'), log: silent, durable: false });
  settings = {
    SVC_HOME: join(folder, 'home'),
    SVC_DATABASE_URL: database.url,
    SVC_STORAGE__LOCATION: join(folder, 'warehouse'),
    SVC_BOOTSTRAP_TOKEN: TOKEN,
    SVC_SECRETS__KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_QUERY__THREADS: '1',
    SVC_LOG__LEVEL: 'warn',
  };
}, 1_200_000);

afterAll(async () => {
  for (const { stop } of balancers) stop();
  for (const { child } of running) child.kill('SIGKILL');
  await db?.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('while a newer version replaces two servers and two workers one by one, nothing fails and nothing is done twice', async () => {
  process.stderr.write(`from ${old.commit} (${old.schema}) to ${newSchema()}\n`);
  expect(old.schema < newSchema()).toBe(true);
  const [oldServer, otherOldServer] = [await server(old.folder), await server(old.folder)];
  const oldWorkers = [await worker(old.folder, oldServer.url), await worker(old.folder, otherOldServer.url)] as const;
  db = await openDatabase({ url: database.url, log: silent, poolSize: 2 });
  const before = clientOf(oldServer);
  await makeWorld(before);
  const first = await startSlow(before);
  const [balancer, otherBalancer] = [await balance(oldServer), await balance(otherOldServer)];
  const people = new Traffic(clientOf(balancer), 'loads.old');
  const otherPeople = new Traffic(clientOf(otherBalancer), 'loads.other');
  await minutes(1);

  // The migration runs while the old processes run.
  if (!(await replacesEarlierOnes(newSchema()))) {
    const plan = await admin(NEW_FOLDER, settings, 'migrate', '--plan');
    expect(plan).toContain(`-- ${newSchema()}\n`);
    expect((await planMigrations(database.url)).at(-1)!.name).toBe(newSchema());
    expect(await admin(NEW_FOLDER, settings, 'migrate')).toContain(newSchema());
  }
  await admin(NEW_FOLDER, settings, 'migrate');
  expect(await db.prisma.$queryRaw`SELECT max(migration_name) AS name FROM _prisma_migrations`).toEqual([
    { name: newSchema() },
  ]);
  expect(await admin(NEW_FOLDER, settings, 'migrate', '--plan')).toBe('-- No migrations are pending.\n');
  const migrated = await minutes(1);
  expect(await finishedRun(before, first)).toMatchObject({ status: 'succeeded', attempts: 1 });
  await everything(before, 'old-after-migration');

  // A new server replaces the first: the old workers perform the work that it submits.
  const newServer = await server(NEW_FOLDER);
  const after = clientOf(newServer);
  await everything(after, 'new-server-old-workers');
  const newPeople = new Traffic(after, 'loads.new');
  balancer.moveTo(newServer.url);
  expect(await oldServer.drain()).toBe(0);
  await people.reached(people.rounds + 2);

  // New workers replace the old ones one by one, in the middle of a run.
  const second = await startSlow(after);
  await worker(NEW_FOLDER, newServer.url);
  await everything(clientOf(otherOldServer), 'side-by-side');
  expect(await oldWorkers[0].drain()).toBe(0);
  const otherNewServer = await server(NEW_FOLDER);
  await worker(NEW_FOLDER, otherNewServer.url);
  expect(await oldWorkers[1].drain()).toBe(0);
  expect(await finishedRun(after, second)).toMatchObject({ status: 'succeeded' });
  await everything(clientOf(otherOldServer), 'old-server-new-workers');
  otherBalancer.moveTo(otherNewServer.url);
  expect(await otherOldServer.drain()).toBe(0);
  await otherPeople.stop(otherPeople.rounds + 2);
  await people.stop(10);
  await everything(after, 'new');
  await minutes(1);
  await newPeople.stop(10);

  await nothingLost(after, { 'loads.old': people, 'loads.other': otherPeople, 'loads.new': newPeople });
  expect(migrated).toBeGreaterThan(0);
}, 1_200_000);

/** Whether a migration combines earlier ones; a database that has those only records it. */
async function replacesEarlierOnes(name: string): Promise<boolean> {
  return /^-- Replaces: /m.test(await readFile(join(migrationsFolder(), name, 'migration.sql'), 'utf8'));
}

async function makeWorld(client: SvcClient): Promise<void> {
  await client.environments.create('dev');
  await client.namespaces.create('dev', 'loads');
  const columns = [{ name: 'id', type: 'bigint', nullable: true, description: null }];
  for (const table of ['loads.old', 'loads.other', 'loads.new'])
    await client.tables.create('dev', table, { kind: 'managed', columns });
  await client.principals.create({ name: 'timer', type: 'service-account' });
  const scope = { kind: 'ENVIRONMENT', environment: 'dev', principal: 'timer', role: 'DATA_ENGINEER' } as const;
  await client.grants.create(scope);
  for (const [repository, files] of Object.entries(PROJECTS)) {
    await client.repositories.create({ name: repository });
    expect(await deployFiles(client, { env: 'dev', repository, folder }, files)).toMatchObject({ status: 'succeeded' });
  }
  await client.deployments.setRunAs('dev', 'timed', 'timer');
}

async function startSlow(client: SvcClient): Promise<string> {
  const { run } = await client.jobs.start('dev', 'once', { repository: 'slow' });
  return run!.id;
}

/** The finished run, with the number of its attempts. */
async function finishedRun(client: SvcClient, id: string): Promise<Run & { attempts: number }> {
  const run = await client.runs.wait('dev', id);
  const { attempts } = await db.prisma.run.findUniqueOrThrow({ where: { id } });
  return { ...run, attempts };
}

/** Waits until schedules have started that many more runs; returns their number. */
async function minutes(more: number): Promise<number> {
  const count = () => db.prisma.run.count({ where: { trigger: 'schedule', ended_at: { not: null } } });
  for (const expected = (await count()) + more; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const now = await count();
    if (now >= expected) return now;
  }
}

/** One item of each kind of work. */
async function everything(client: SvcClient, name: string): Promise<void> {
  const repository = `p-${name}`;
  await client.repositories.create({ name: repository });
  const manifest = `name: ${repository}\njobs:\n  of-${name}:\n    select: ["${asset(name)}.*"]\n`;
  const project = { 'svc.yaml': manifest, [`assets/${asset(name)}/made.sql`]: 'SELECT 7 AS n' };
  expect(await deployFiles(client, { env: 'dev', repository, folder }, project)).toMatchObject({ status: 'succeeded' });
  const { run } = await client.jobs.start('dev', `of-${name}`);
  expect(await client.runs.wait('dev', run!.id)).toMatchObject({ status: 'succeeded' });
  expect(await rowsOf(client, 'dev', `SELECT n FROM ${asset(name)}.made`)).toEqual([[7]]);
  const maintained = await client.tables.maintain('dev', `${asset(name)}.made`, { compact: true });
  expect(await client.maintenance.wait('dev', maintained.id)).toMatchObject({ status: 'succeeded' });
  await client.tables.delete('dev', `${asset(name)}.made`);
  await client.tables.undrop('dev', `${asset(name)}.made`);
}

const asset = (name: string) => name.replaceAll('-', '_');

async function nothingLost(client: SvcClient, traffic: Record<string, Traffic>): Promise<void> {
  for (const [table, { rounds }] of Object.entries(traffic))
    expect([table, await rowsOf(client, 'dev', `SELECT count(*) FROM ${table}`)]).toEqual([table, [[rounds]]]);
  // Each minute once, without a gap.
  const runs = await db.prisma.run.findMany({ where: { trigger: 'schedule' }, orderBy: { scheduled_for: 'asc' } });
  const times = runs.map((run) => run.scheduled_for!.getTime() / 60_000);
  expect(times).toEqual(times.map((_, i) => times[0]! + i));
  expect(runs.filter((run) => run.missed > 0)).toEqual([]);
  const finished = runs.filter((run) => run.ended_at !== null);
  expect(finished.filter((run) => run.status !== 'succeeded')).toEqual([]);
  const [[ticks]] = (await rowsOf(client, 'dev', 'SELECT count(*) FROM raw.ticks')) as [[number]];
  expect(ticks).toBeGreaterThanOrEqual(finished.length);
  expect(await client.audit.verify()).toMatchObject({ intact: true, problem: null });
}
