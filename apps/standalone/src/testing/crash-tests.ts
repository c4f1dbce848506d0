import { once } from 'node:events';
import type { Run } from '@svc/sdk';
import type { WorkStep } from '@svc/worker/work';
import { type Cluster, type Part, startCluster } from './cluster.ts';
import { makeOrders } from './orders.ts';
import { deployFiles, taskStatuses } from './projects.ts';

const PROJECT = {
  'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n',
  'assets/raw/numbers.sql': 'SELECT i AS id FROM range(10) t(i)',
  'assets/core/sum.sql': 'SELECT sum(id)::BIGINT AS total FROM raw.numbers',
};

/** A cluster with a second worker, which is paused until the first has died. */
export class CrashStage {
  readonly cluster: Cluster;
  private readonly other: Part;

  private constructor(cluster: Cluster, other: Part) {
    this.cluster = cluster;
    this.other = other;
  }

  static async open(): Promise<CrashStage> {
    const cluster = await startCluster();
    await makeOrders(cluster.client, 'dev');
    await cluster.client.repositories.create({ name: 'shop' });
    return new CrashStage(cluster, await cluster.startWorker());
  }

  close(): Promise<void> {
    return this.cluster.stop();
  }

  /** Performs the work with a worker that dies at the step; then the second worker continues. */
  async survive<T>(killAt: WorkStep, work: () => Promise<T>): Promise<T> {
    this.other.child.kill('SIGSTOP');
    const doomed = await this.cluster.startWorker(killAt);
    const done = work();
    // The caller that awaits the work below reports the failure.
    done.catch(() => {});
    expect(await doomed.exited).toBe('SIGKILL');
    this.other.child.kill('SIGCONT');
    return done;
  }

  /** Performs the work with a worker that is paused at the step; the second one finishes it. `wake` resumes the first. */
  async stall<T>(at: WorkStep, work: () => Promise<T>) {
    this.other.child.kill('SIGSTOP');
    const frozen = await this.cluster.startWorker(at, 'SIGSTOP');
    const still = once(frozen.child, 'message');
    const done = work();
    await still;
    this.other.child.kill('SIGCONT');
    const wake = () => {
      frozen.child.kill('SIGCONT');
      return frozen.stop();
    };
    return { finished: await done, wake };
  }

  /** Performs the work with a worker whose program fails on it. */
  async fail<T>(at: WorkStep, work: () => Promise<T>, how: 'throw' | 'full' = 'throw'): Promise<T> {
    this.other.child.kill('SIGSTOP');
    const failing = await this.cluster.startWorker(at, how);
    try {
      return await work();
    } finally {
      this.other.child.kill('SIGCONT');
      await failing.stop();
    }
  }

  snapshots(table: string): Promise<number> {
    return this.cluster.client.tables.snapshots('dev', table).then(
      (list) => list.length,
      () => 0,
    );
  }

  async dataFiles(): Promise<number> {
    return (await this.cluster.stored('tables')).filter((file) => file.endsWith('.parquet')).length;
  }

  async load(): Promise<string> {
    const data = Buffer.from('id\n1\n2\n');
    return (await this.cluster.client.tables.load('dev', 'shop.orders', data, { format: 'csv' })).id;
  }

  /** After the sweep, no unreferenced files are left. */
  async expectNoOrphans(dataFiles: number): Promise<void> {
    const { cluster } = this;
    await cluster.sweep();
    expect(await this.dataFiles()).toBe(dataFiles);
    expect(await cluster.stored('staged')).toEqual([]);
    const unfinished = (file: string) => file.endsWith('.partial') || file.includes('/.stages/');
    expect((await cluster.stored('.')).filter(unfinished)).toEqual([]);
    expect(await cluster.sweep()).toBe(0);
  }
}

/** A load completes once, with one snapshot and one event. */
export async function crashLoad(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events } = stage.cluster;
  const before = { snapshots: await stage.snapshots('shop.orders'), files: await stage.dataFiles() };
  const writes = (await events('TABLE_WRITE')).length;
  const write = await stage.survive(step, async () => client.writes.wait('dev', await stage.load()));
  expect(write).toMatchObject({ status: 'succeeded', rows: 2, error: null });
  expect(await stage.snapshots('shop.orders')).toBe(before.snapshots + 1);
  expect(await events('TABLE_WRITE')).toHaveLength(writes + 1);
  await stage.expectNoOrphans(before.files + 1);
}

/** A compaction happens once, with one event, and keeps every row; the dead worker's files are removed. */
export async function crashMaintenance(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events } = stage.cluster;
  for (let i = 0; i < 2; i++) await client.writes.wait('dev', await stage.load());
  const rows = () => client.tables.get('dev', 'shop.orders').then(({ row_count }) => row_count);
  const before = { rows: await rows(), files: await stage.dataFiles() };
  const maintained = (await events('TABLE_MAINTAINED')).length;
  const finished = await stage.survive(step, async () =>
    client.maintenance.wait('dev', (await client.tables.maintain('dev', 'shop.orders', { compact: true })).id),
  );
  expect(finished).toMatchObject({ status: 'succeeded', error: null, result: { new_files: 1 } });
  expect(await rows()).toBe(before.rows);
  expect(await events('TABLE_MAINTAINED')).toHaveLength(maintained + 1);
  await stage.expectNoOrphans(before.files + 1);
}

/** The rows of a query with `into` exist once. */
export async function crashInto(stage: CrashStage, step: WorkStep, mode: 'create' | 'append'): Promise<void> {
  const { client, events } = stage.cluster;
  const into = mode === 'append' ? 'shop.orders' : `shop.made_at_${step.replace('.', '_')}`;
  const before = { snapshots: await stage.snapshots(into), files: await stage.dataFiles() };
  const query = await stage.survive(step, async () =>
    client.queries.wait('dev', (await client.queries.submit('dev', 'SELECT 3 AS id', { into, mode })).id),
  );
  expect(query).toMatchObject({ status: 'SUCCEEDED', row_count: 1, error: null });
  expect(await stage.snapshots(into)).toBe(before.snapshots + 1);
  const finished = (await events('QUERY_COMPLETED')).filter(({ detail }) => detail['query_id'] === query.id);
  expect(finished).toHaveLength(1);
  await stage.expectNoOrphans(before.files + 1);
}

/** A clone exists once; the files of the dead worker's are removed, and those of its source stay. */
export async function crashClone(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events } = stage.cluster;
  const [source, target] = ['shop.cloned', `shop.clone_at_${step.replace('.', '_')}`];
  if ((await stage.snapshots(source)) === 0)
    await client.queries.run('dev', 'SELECT range AS id FROM range(100)', { into: source, mode: 'create' });
  await stage.cluster.sweep();
  const before = await stage.dataFiles();
  const query = await stage.survive(step, async () =>
    client.queries.wait('dev', (await client.queries.submit('dev', `CREATE TABLE ${target} CLONE ${source}`)).id),
  );
  expect(query).toMatchObject({ status: 'SUCCEEDED', row_count: 100, error: null });
  await stage.expectNoOrphans(before + 1);
  for (const table of [source, target]) {
    const { rows } = await client.queries.run('dev', `SELECT count(*)::INTEGER AS c FROM ${table}`);
    expect(rows).toEqual([{ c: 100 }]);
  }
  expect(await stage.snapshots(target)).toBe(1);
  const finished = (await events('QUERY_COMPLETED')).filter(({ detail }) => detail['query_id'] === query.id);
  expect(finished).toHaveLength(1);
}

/** A statement changes its rows once, with one event; the dead worker's files are removed, also those with the rows it found. */
export async function crashChange(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events, stored } = stage.cluster;
  const into = 'shop.counted';
  const mode = (await stage.snapshots(into)) === 0 ? 'create' : 'replace';
  await client.queries.run('dev', 'SELECT range AS id, 0 AS n FROM range(100)', { into, mode });
  const before = { snapshots: await stage.snapshots(into), files: await stage.dataFiles() };
  const results = (await stored('results')).length;
  const change = `UPDATE ${into} SET n = n + 1 WHERE id < 10`;
  const query = await stage.survive(step, async () =>
    client.queries.wait('dev', (await client.queries.submit('dev', change)).id),
  );
  expect(query).toMatchObject({ status: 'SUCCEEDED', affected: { updated: 10 }, error: null });
  const { rows } = await client.queries.run('dev', `SELECT sum(n)::INTEGER AS n, count(*) AS c FROM ${into}`);
  expect(rows).toEqual([{ n: 10, c: 100 }]);
  expect(await stage.snapshots(into)).toBe(before.snapshots + 1);
  const writes = (await events('TABLE_WRITE')).filter(({ detail }) => detail['mode'] === 'update');
  expect(writes.at(-1)?.detail).toMatchObject({ updated: 10 });
  await stage.expectNoOrphans(before.files + 1);
  expect((await stored('results')).length).toBe(results);
}

/** The result of a query that isn't small is stored once, in one file. */
export async function crashAnswer(stage: CrashStage): Promise<void> {
  const { client, sweep, stored } = stage.cluster;
  const query = await stage.survive('query.answered', async () =>
    client.queries.wait('dev', (await client.queries.submit('dev', 'SELECT range AS n FROM range(2000)')).id),
  );
  expect(query.row_count).toBe(2000);
  expect((await client.queries.results('dev', query.id)).rows[0]).toEqual([0]);
  await sweep();
  expect(await stored('results')).toHaveLength(1);
}

/** One version is deployed, with one event and one archive. */
export async function crashDeploy(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events, folder, stored, sweep } = stage.cluster;
  const before = (await stored('projects')).length;
  const to = { env: 'dev', repository: 'shop', folder };
  const deploy = await stage.survive(step, () => deployFiles(client, to, PROJECT));
  expect(deploy).toMatchObject({ status: 'succeeded', error: null });
  const [deployment] = await client.deployments.list('dev');
  expect(deployment?.project_version_id).toBe(deploy.project_version_id);
  const deployed = (await events('DEPLOY_SUCCEEDED')).filter(({ detail }) => detail['deploy_id'] === deploy.id);
  expect(deployed).toHaveLength(1);
  await sweep();
  expect(await stored('projects')).toHaveLength(before + 1);
}

/** A run resumes where it was; each table is built once. Needs a previous deploy. */
export async function crashRun(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events } = stage.cluster;
  const built = async () => [await stage.snapshots('raw.numbers'), await stage.snapshots('core.sum')];
  const before = { built: await built(), files: await stage.dataFiles() };
  const run = await stage.survive(step, async () =>
    client.runs.wait('dev', (await client.jobs.start('dev', 'all')).run!.id),
  );
  expect(run).toMatchObject({ status: 'succeeded', error: null });
  expect(taskStatuses(run)).toEqual({ 'raw.numbers': 'succeeded', 'core.sum': 'succeeded' });
  expect(await built()).toEqual(before.built.map((n) => n + 1));
  expect((await events('RUN_ENDED')).filter(({ detail }) => detail['run_id'] === run.id)).toHaveLength(1);
  await stage.expectNoOrphans(before.files + 2);
}

const TIMED = {
  ...PROJECT,
  'svc.yaml': 'jobs:\n  timed:\n    select: ["*"]\n    schedule: { cron: "0 5 1 1 *", timezone: Europe/Berlin }\n',
};

/** Deploys a job with a schedule that is due in winter, and binds an account to it. */
export async function deployTimed({ cluster }: CrashStage): Promise<void> {
  const { client, folder } = cluster;
  await client.repositories.create({ name: 'timed' });
  await deployFiles(client, { env: 'dev', repository: 'timed', folder }, TIMED);
  await client.principals.create({ name: 'timer', type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', environment: 'dev', principal: 'timer', role: 'DATA_ENGINEER' });
  await client.deployments.setRunAs('dev', 'timed', 'timer');
}

/** A due time becomes one successful run, at whatever step a worker dies. Needs `deployTimed` first. */
export async function crashSchedule(stage: CrashStage, step: WorkStep): Promise<void> {
  const { client, events, database } = stage.cluster;
  const built = async () => [await stage.snapshots('raw.numbers'), await stage.snapshots('core.sum')];
  const before = await built();
  const due = new Date();
  const { prisma } = database.db;
  // A start waits at the steps of starting if its job was deployed before plans were stored.
  const { tasks } = await prisma.job.findFirstOrThrow({ where: { name: 'timed' } });
  if (step.startsWith('start.')) await prisma.$executeRaw`UPDATE jobs SET tasks = NULL WHERE name = 'timed'`;
  const run = await stage.survive(step, async () => {
    await prisma.job.updateMany({ where: { name: 'timed' }, data: { next_run_at: due } });
    const startedRun = await runOf(stage, due);
    return client.runs.wait('dev', startedRun.id);
  });
  await prisma.job.updateMany({ where: { name: 'timed' }, data: { tasks: tasks! } });
  expect(run).toMatchObject({ status: 'succeeded', trigger: 'schedule', principal: 'timer', missed: 0, error: null });
  expect(await client.runs.list('dev', { job: 'timed', since: due.toISOString() })).toHaveLength(1);
  expect(await built()).toEqual(before.map((n) => n + 1));
  expect(await client.jobs.get('dev', 'timed')).toMatchObject({ state: 'scheduled', waiting_for: null });
  for (const type of ['RUN_STARTED', 'RUN_ENDED'])
    expect((await events(type)).filter(({ detail }) => detail['run_id'] === run.id)).toHaveLength(1);
}

/** The run of a due time, as soon as there is one. */
async function runOf({ cluster }: CrashStage, due: Date): Promise<Run> {
  for (;;) {
    const runs = await cluster.client.runs.list('dev', { job: 'timed', limit: 5 });
    const found = runs.find((run) => run.scheduled_for === due.toISOString());
    if (found !== undefined) return found;
  }
}
