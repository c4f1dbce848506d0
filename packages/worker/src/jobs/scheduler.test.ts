import { idSource } from '@svc/core/ids';
import { nextTimeOf } from '@svc/core/jobs';
import { jobRecord, listJobs, setPaused, waitToStart } from '@svc/db/jobs';
import { claimWork, holdRole, type RoleLease } from '@svc/db/leases';
import { endRun } from '@svc/db/runs';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import type { WorkerDeps } from '../work/deps.ts';
import { begin } from './begin.ts';
import { book } from './book.ts';

const MINUTE = 60_000;
const signal = new AbortController().signal;
let database: TestDatabase;
let now = new Date('2026-03-01T08:00:00Z');
let role: RoleLease;
const random = (n: number) => crypto.getRandomValues(new Uint8Array(n));
const newId = idSource(() => now.getTime(), random);
const owner = newId();

const deps = () => ({ db: database.db, clock: () => now, newId, random, owner }) as unknown as WorkerDeps;
const at = (text: string) => {
  now = new Date(`2026-03-01T${text}Z`);
};

beforeAll(async () => {
  database = await createTestDatabase();
  role = (await holdRole(database.db.prisma, { name: 'scheduler', holder: owner, now, leaseMs: 1e9 }))!;
});
afterAll(() => database.drop());

// Only the project of the test at hand has anything due.
beforeEach(async () => {
  await database.db.prisma.job.updateMany({ data: { removed_at: now } });
  await database.db.prisma.jobStart.updateMany({ where: { ended_at: null }, data: { ended_at: now } });
});

interface Project {
  environmentId: string;
  repositoryId: string;
  account: string;
  jobs: Record<string, string>;
}

const ASSET = {
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

/** A deployed project with jobs by name and cron, run as a service account unless told otherwise. */
async function deploy(
  name: string,
  crons: Record<string, string | null>,
  options: { bound?: boolean; protected?: boolean } = {},
): Promise<Project> {
  const { prisma } = database.db;
  const [environmentId, repositoryId, versionId, account] = [newId(), newId(), newId(), newId()];
  const jobs = Object.entries(crons).map(([job, cron]) => ({
    name: job,
    select: ['*'],
    upstream: false,
    downstream: false,
    schedule: cron === null ? null : { cron, timezone: 'UTC' },
    webhook: null,
    timeoutSeconds: null,
    retries: 0,
  }));
  await prisma.environment.create({
    data: { id: environmentId, name, protected: options.protected ?? false, created_at: now },
  });
  await prisma.repository.create({ data: { id: repositoryId, name, created_at: now, updated_at: now } });
  await prisma.principal.create({
    data: { id: account, name: `${name}-runner`, type: 'service-account', created_at: now },
  });
  await prisma.projectVersion.create({
    data: {
      id: versionId,
      environment_id: environmentId,
      repository_id: repositoryId,
      deploy_id: newId(),
      location: '',
      name,
      assets: [ASSET],
      jobs,
      created_at: now,
      created_by: account,
    },
  });
  await prisma.deployment.create({
    data: {
      id: newId(),
      environment_id: environmentId,
      repository_id: repositoryId,
      project_version_id: versionId,
      run_as_id: options.bound === false ? null : account,
      created_at: now,
      created_by: account,
      updated_at: now,
    },
  });
  const ids: Record<string, string> = {};
  for (const job of jobs) {
    ids[job.name] = newId();
    const { cron = null, timezone = null } = job.schedule ?? {};
    const next_run_at = job.schedule === null ? null : nextTimeOf(job.schedule.cron, 'UTC', now);
    await prisma.job.create({
      data: {
        id: ids[job.name]!,
        environment_id: environmentId,
        repository_id: repositoryId,
        name: job.name,
        definition: job,
        cron,
        timezone,
        next_run_at,
        created_at: now,
        updated_at: now,
      },
    });
  }
  return { environmentId, repositoryId, account, jobs: ids };
}

const tick = async () => ({ booked: await book(deps(), role, signal), ...(await begin(deps(), role, signal)) });
const runsOf = (p: Project) =>
  database.db.prisma.run.findMany({
    where: { environment_id: p.environmentId },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
const job = async (p: Project, name: string) =>
  jobRecord((await listJobs(database.db.prisma, { environmentId: p.environmentId, name }))[0]!);
const dropped = async (p: Project) =>
  (
    await database.db.prisma.auditEvent.findMany({
      where: { environment_id: p.environmentId, type: 'JOB_START_DROPPED' },
    })
  ).map((e) => e.detail as { reason: string });
const started = async (p: Project) =>
  (
    await database.db.prisma.auditEvent.findMany({
      where: { environment_id: p.environmentId, type: 'RUN_STARTED' },
      orderBy: { id: 'asc' },
    })
  ).map((e) => e.detail as { merged: number; trigger: string });

async function finishActive(p: Project): Promise<void> {
  const run = (await runsOf(p)).find(({ status }) => status === 'queued' || status === 'running')!;
  if (run.status === 'queued')
    await database.db.prisma.run.update({
      where: { id: run.id },
      data: { status: 'running', lease_owner: owner, lease_fence: 1n },
    });
  const fence = run.status === 'queued' ? 1n : run.lease_fence;
  await endRun(database.db.prisma, { claim: { id: run.id, fence }, end: { status: 'succeeded', error: null }, now });
}

async function ask(p: Project, name: string, requesterId: string): Promise<void> {
  await waitToStart(database.db.prisma, [
    {
      id: newId(),
      jobId: p.jobs[name]!,
      environmentId: p.environmentId,
      repositoryId: p.repositoryId,
      trigger: 'manual',
      requesterId,
      scheduledFor: null,
      missed: 0,
      now,
    },
  ]);
}

test('a due time becomes a run of the bound account, once', async () => {
  at('08:00:30');
  const p = await deploy('once', { hourly: '0 * * * *' });
  at('08:59:59');
  expect((await tick()).booked).toBe(0);
  at('09:00:00');
  expect(await tick()).toMatchObject({ booked: 1, begun: 1 });
  expect(await tick()).toMatchObject({ booked: 0, begun: 0 });
  const [run, ...more] = await runsOf(p);
  expect(more).toEqual([]);
  expect(run).toMatchObject({
    trigger: 'schedule',
    job: 'hourly',
    principal_id: p.account,
    requested_by: null,
    missed: 0,
    scheduled_for: new Date('2026-03-01T09:00:00Z'),
  });
  expect(await job(p, 'hourly')).toMatchObject({
    state: 'scheduled',
    next_run_at: '2026-03-01T10:00:00.000Z',
    last_run_id: run!.id,
    last_run_trigger: 'schedule',
  });
});

test('after downtime it starts once, for the latest time, and counts the older ones', async () => {
  at('10:00:30');
  const p = await deploy('downtime', { often: '*/10 * * * *' });
  at('11:05:00');
  await tick();
  const [run] = await runsOf(p);
  expect(run).toMatchObject({ scheduled_for: new Date('2026-03-01T11:00:00Z'), missed: 5 });
  expect((await started(p))[0]).toMatchObject({ merged: 6 });
});

test('while the project is busy one start waits, later ones merge into it, and the longest waiting begins first', async () => {
  at('12:00:30');
  const p = await deploy('busy', { five: '*/5 * * * *', seven: '7 * * * *' });
  at('12:05:00');
  await tick();
  at('12:07:00');
  await tick();
  at('12:10:00');
  await tick();
  at('12:15:00');
  await tick();
  expect(await job(p, 'five')).toMatchObject({
    state: 'waiting',
    waiting_for: { trigger: 'schedule', merged: 2, scheduled_for: '2026-03-01T12:15:00.000Z' },
  });
  expect((await job(p, 'five')).waits_for_run_id).toBe((await runsOf(p))[0]!.id);
  await finishActive(p);
  expect(await job(p, 'seven')).toMatchObject({ state: 'waiting to start', waits_for_run_id: null });
  expect(await tick()).toMatchObject({ begun: 1 });
  await finishActive(p);
  await tick();
  expect((await runsOf(p)).map((run) => [run.job, run.missed])).toEqual([
    ['five', 0],
    ['seven', 0],
    ['five', 1],
  ]);
  expect((await started(p)).map(({ merged }) => merged)).toEqual([1, 1, 2]);
});

test('a manual start that meets a waiting scheduled one becomes the scheduled one', async () => {
  at('13:00:30');
  const p = await deploy('meet', { quarter: '*/15 * * * *', other: null });
  const person = newId();
  await database.db.prisma.principal.create({ data: { id: person, name: 'meeting', type: 'person', created_at: now } });
  at('13:15:00');
  await tick();
  await ask(p, 'quarter', person);
  at('13:30:00');
  await tick();
  await finishActive(p);
  await tick();
  expect((await runsOf(p)).at(-1)).toMatchObject({ trigger: 'schedule', principal_id: p.account, requested_by: null });
  expect((await started(p)).at(-1)).toMatchObject({ merged: 2, trigger: 'schedule' });
});

test('a waiting start is dropped with its reason when nobody who asked still may', async () => {
  at('14:00:30');
  const p = await deploy('drops', { manual: null });
  const { prisma } = database.db;
  const person = newId();
  await prisma.principal.create({ data: { id: person, name: 'colleague', type: 'person', created_at: now } });
  await ask(p, 'manual', person);
  expect(await tick()).toMatchObject({ begun: 0, dropped: 1 });
  expect((await dropped(p))[0]!.reason).toBe('its requester colleague lost RUN on the environment drops');
  await prisma.principal.update({ where: { id: person }, data: { active: false } });
  await ask(p, 'manual', person);
  await tick();
  expect((await dropped(p)).map(({ reason }) => reason)).toContain('its requester colleague was deactivated');
  expect(await runsOf(p)).toEqual([]);
});

test('without a usable principal due times pass and are not caught up', async () => {
  at('15:00:30');
  const p = await deploy('unbound', { hourly: '0 * * * *' }, { bound: false });
  at('17:30:00');
  expect(await tick()).toMatchObject({ booked: 1, begun: 0, dropped: 0 });
  expect(await job(p, 'hourly')).toMatchObject({ state: 'no run principal', next_run_at: '2026-03-01T18:00:00.000Z' });
  await database.db.prisma.deployment.updateMany({
    where: { environment_id: p.environmentId },
    data: { run_as_id: p.account },
  });
  expect(await tick()).toMatchObject({ booked: 0, begun: 0 });
  await database.db.prisma.principal.update({ where: { id: p.account }, data: { active: false } });
  expect((await job(p, 'hourly')).state).toBe('run principal unusable');
});

test('a pause stops the schedule only: what waits still begins', async () => {
  at('18:00:30');
  const p = await deploy('paused', { hourly: '0 * * * *' });
  at('19:00:00');
  await book(deps(), role, signal);
  await setPaused(database.db.prisma, { id: p.jobs['hourly']!, paused: true, nextRunAt: null });
  expect(await begin(deps(), role, signal)).toMatchObject({ begun: 1 });
  at('21:00:00');
  expect((await tick()).booked).toBe(0);
  expect(await job(p, 'hourly')).toMatchObject({
    state: 'paused',
    paused: true,
    next_run_at: null,
    triggers: [{ kind: 'schedule', paused: true, next_run_at: null }, { kind: 'on_demand' }],
  });
});

test('an old holder of the role books and begins nothing, and two holders at once do nothing twice', async () => {
  at('22:00:30');
  const p = await deploy('fence', { minutely: '* * * * *' });
  at('22:01:00');
  const usurper = (await holdRole(database.db.prisma, {
    name: 'scheduler',
    holder: newId(),
    now: new Date(now.getTime() + 2e9),
    leaseMs: 1e9,
  }))!;
  expect(await tick()).toMatchObject({ booked: 0, begun: 0 });
  const old = role;
  role = usurper;
  const both = await Promise.all([tick(), tick()]);
  expect(both.reduce((sum, t) => sum + t.begun, 0)).toBe(1);
  expect(await runsOf(p)).toHaveLength(1);
  role = old;
  await database.db.prisma.lease.updateMany({ data: { holder: owner, fence: role.fence } });
});

test('many schedules due at one moment are booked and begun together', async () => {
  at('23:00:30');
  const many = 300;
  const projects: Project[] = [];
  for (let i = 0; i < many; i++) projects.push(await deploy(`many${i}`, { m: '1 23 * * *' }));
  at('23:01:00');
  const { booked, begun } = await tick();
  expect([booked, begun].every((n) => n >= many)).toBe(true);
  expect(await claimWork(database.db.prisma, { kind: 'runs', owner, now, leaseMs: MINUTE })).not.toBeNull();
});
