import { idSource } from '@svc/core/ids';
import { type Job, nextTimeOf } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { jobRecord, listJobs, reconcileJobs, waitToStart } from '@svc/db/jobs';
import { acquireLeaderLease, type LeaderLease } from '@svc/db/leases';
import { finishRun } from '@svc/db/runs';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import type { WorkerDeps, WorkStep } from '../../work/deps.ts';
import { enqueue } from '../enqueue.ts';
import { refreshTimes } from '../refresh-times.ts';
import { schedulerLoop } from '../scheduler.ts';
import { startPending } from '../start-pending.ts';

type Prisma = TestDatabase['db']['prisma'];
type Runs = Awaited<ReturnType<Prisma['run']['findMany']>>;

const signal = new AbortController().signal;

/** Kills a test's worker. */
export class KilledError extends Error {}

/** The ids of a deployed project. */
export interface Project {
  environmentId: string;
  repositoryId: string;
  /** The service account bound to it. */
  account: string;
  /** Job ids by name. */
  jobs: Record<string, string>;
}

export const ASSET = {
  name: 'a.t',
  namespace: 'a',
  table: 't',
  kind: 'table',
  description: null,
  columns: {},
  dependsOn: [],
  tags: [],
  mode: 'replace',
  watermark: null,
  checks: [],
  file: 'assets/a/t.sql',
  line: 1,
  source: { language: 'sql', sql: 'SELECT 1 AS x' },
};

/** What every job of a test builds, as it is stored. */
export const TASKS = [{ asset: ASSET.name, depends_on: [] }];

/** The same tasks, as a deploy plans them. */
export const plansOf = (jobs: readonly { name: string }[]) =>
  new Map(jobs.map(({ name }) => [name, [{ asset: ASSET.name, dependsOn: [] }]]));

/** The scheduler on a real database, with a clock that the test moves. */
export class World {
  now = new Date('2026-03-01T08:00:00Z');
  lease!: LeaderLease;
  readonly newId = idSource(
    () => this.now.getTime(),
    (n) => crypto.getRandomValues(new Uint8Array(n)),
  );
  readonly owner = this.newId();
  private readonly database: TestDatabase;

  private constructor(database: TestDatabase) {
    this.database = database;
  }

  static async open(): Promise<World> {
    const world = new World(await createTestDatabase());
    const { owner, now } = world;
    world.lease = (await acquireLeaderLease(world.prisma, { name: 'scheduler', holder: owner, now, leaseMs: 1e12 }))!;
    return world;
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  get prisma(): Prisma {
    return this.database.db.prisma;
  }

  /** Where the next batch dies, like a killed worker: its transaction is rolled back. */
  dieAt: WorkStep | null = null;

  /** Sets the clock to a time on 1 March 2026. */
  at(text: string): void {
    this.now = new Date(`2026-03-01T${text}Z`);
  }

  /** The worker dependencies that the scheduler needs, on this world's clock. */
  get deps(): WorkerDeps {
    return { db: this.database.db, clock: () => this.now, newId: this.newId, step: this.step } as unknown as WorkerDeps;
  }

  private readonly step = async (step: WorkStep): Promise<void> => {
    if (step !== this.dieAt) return;
    this.dieAt = null;
    throw new KilledError();
  };

  enqueue = () => enqueue(this.deps, this.lease, signal);
  startPending = () => startPending(this.deps, this.lease, signal);
  refreshTimes = () => refreshTimes(this.deps, this.lease, signal);
  /** The loop of a worker that has just become the leader. */
  loop = () => schedulerLoop(this.deps, { current: this.lease });
  /** Runs the scheduler once. */
  tick = async () => {
    const { enqueued, started } = await this.enqueue();
    const more = await this.startPending();
    return { enqueued, started: started + more.started, dropped: more.dropped };
  };

  /** Removes everything that earlier tests left due or waiting. */
  async quiet(): Promise<void> {
    await this.prisma.job.updateMany({ data: { removed_at: this.now } });
    await this.prisma.jobStart.updateMany({ where: { ended_at: null }, data: { ended_at: this.now } });
  }

  /** Deploys a project with jobs by name and cron, as a service account. By default, runs act as it too. */
  async deploy(
    name: string,
    crons: Record<string, string | null>,
    options: { bound?: boolean; protected?: boolean; webhook?: string; planned?: boolean } = {},
  ): Promise<Project> {
    const { prisma, now, newId } = this;
    const [environmentId, repositoryId, versionId, account] = [newId(), newId(), newId(), newId()] as const;
    const key = { environment_id: environmentId, repository_id: repositoryId };
    const jobs = Object.entries(crons).map(([job, cron]) => definition(job, cron, options.webhook));
    await prisma.environment.create({
      data: { id: environmentId, name, protected: options.protected ?? false, created_at: now },
    });
    await prisma.repository.create({ data: { id: repositoryId, name, created_at: now, updated_at: now } });
    await prisma.principal.create({
      data: { id: account, name: `${name}-runner`, type: 'service-account', created_at: now },
    });
    const right = { kind: 'ENVIRONMENT', action: 'DEPLOY', environment_id: environmentId, object_id: environmentId };
    await prisma.grant.create({ data: { id: newId(), principal_id: account, ...right, created_at: now } });
    const version = { id: versionId, ...key, deploy_id: newId(), location: '', name, assets: [ASSET], jobs };
    await prisma.projectVersion.create({ data: { ...version, created_at: now, created_by: account } });
    const deployment = { id: newId(), ...key, project_version_id: versionId, created_at: now, updated_at: now };
    const run_as_id = options.bound === false ? null : account;
    await prisma.deployment.create({ data: { ...deployment, run_as_id, created_by: account } });
    const ids: Record<string, string> = {};
    for (const job of jobs) {
      ids[job.name] = newId();
      const { cron = null, timezone = null } = job.schedule ?? {};
      const next_run_at = cron === null ? null : nextTimeOf(cron, 'UTC', now);
      const row = { id: ids[job.name]!, ...key, name: job.name, definition: job, cron, timezone, next_run_at };
      const tasks = options.planned === false ? {} : { tasks: TASKS };
      await prisma.job.create({ data: { ...row, ...tasks, created_at: now, updated_at: now } });
    }
    return { environmentId, repositoryId, account, jobs: ids };
  }

  /** Deploys other jobs into a project. Returns the ids of the removed jobs. */
  redeploy(p: Project, crons: Record<string, string | null>): Promise<string[]> {
    const { environmentId, repositoryId } = p;
    const jobs = Object.entries(crons).map(([job, cron]) => definition(job, cron));
    const nextRun = ({ cron, timezone }: { cron: string; timezone: string }) => nextTimeOf(cron, timezone, this.now);
    return inTransaction(this.database.db, async (tx) => {
      const r = { environmentId, repositoryId, jobs, plans: plansOf(jobs), nextRun, newId: this.newId, now: this.now };
      return (await reconcileJobs(tx, r)).removed;
    });
  }

  runsOf(p: Project): Promise<Runs> {
    return this.prisma.run.findMany({
      where: { environment_id: p.environmentId },
      orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    });
  }

  async job(p: Project, name: string): Promise<Job> {
    return jobRecord((await listJobs(this.prisma, { environmentId: p.environmentId, name }))[0]!);
  }

  /** Details of the project's events of a type, oldest first. */
  async events<T>(p: Project, type: string): Promise<T[]> {
    const rows = await this.prisma.auditEvent.findMany({
      where: { environment_id: p.environmentId, type },
      orderBy: [{ time: 'asc' }, { id: 'asc' }],
    });
    return rows.map((row) => row.detail as T);
  }

  /** Finishes the active run, by default successfully. Returns its id. */
  async finish(p: Project, status: 'succeeded' | 'failed' = 'succeeded'): Promise<string> {
    const where = { environment_id: p.environmentId, status: { in: ['queued', 'running'] } };
    const run = await this.prisma.run.findFirstOrThrow({ where });
    const data = { status: 'running', lease_owner: this.owner, lease_fence: 1n };
    await this.prisma.run.update({ where: { id: run.id }, data });
    await finishRun(this.prisma, {
      claim: { id: run.id, fence: 1n },
      outcome: { status, error: null },
      now: this.now,
    });
    return run.id;
  }

  /** Adds a manual start that has to wait. */
  async requestStart(p: Project, name: string, requesterId: string): Promise<void> {
    const { environmentId, repositoryId } = p;
    const request = { id: this.newId(), jobId: p.jobs[name]!, environmentId, repositoryId, trigger: 'manual' as const };
    await waitToStart(this.prisma, [{ ...request, requesterId, scheduledFor: null, missed: 0, now: this.now }]);
  }

  async person(name: string): Promise<string> {
    const id = this.newId();
    await this.prisma.principal.create({ data: { id, name, type: 'person', created_at: this.now } });
    return id;
  }
}

/** A job as a deploy resolves it. */
export function definition(name: string, cron: string | null, webhook: string | null = null, timezone = 'UTC') {
  const schedule = cron === null ? null : { cron, timezone };
  const selection = { select: ['*'], upstream: false, downstream: false };
  return { name, ...selection, schedule, webhook, timeoutSeconds: null, retries: 0 };
}
