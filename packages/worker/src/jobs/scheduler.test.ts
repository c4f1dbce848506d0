import { zoneDatabaseVersion } from '@svc/core/jobs';
import { lockReadyStarts, setPaused } from '@svc/db/jobs';
import { acquireLeaderLease, claimWork } from '@svc/db/leases';
import { KilledError, type Project, World } from './testing/world.ts';

const MINUTE = 60_000;
let w: World;
const { signal } = new AbortController();

interface Started {
  merged: number;
  trigger: string;
}

beforeAll(async () => {
  w = await World.open();
});
// Only the project of the test at hand has anything due.
beforeEach(() => w.quiet());
afterAll(() => w.close());

test('a due time becomes a run of the bound account, once (JOBS-1, JOBS-2, RUN-2)', async () => {
  w.at('08:00:30');
  const p = await w.deploy('once', { hourly: '0 * * * *' });
  w.at('08:59:59');
  expect((await w.tick()).enqueued).toBe(0);
  w.at('09:00:00');
  expect(await w.tick()).toMatchObject({ enqueued: 1, started: 1 });
  expect(await w.tick()).toMatchObject({ enqueued: 0, started: 0 });
  const [run, ...more] = await w.runsOf(p);
  expect(more).toEqual([]);
  expect(run).toMatchObject({
    trigger: 'schedule',
    job: 'hourly',
    principal_id: p.account,
    requested_by: null,
    missed: 0,
    scheduled_for: new Date('2026-03-01T09:00:00Z'),
  });
  expect(await w.job(p, 'hourly')).toMatchObject({
    state: 'scheduled',
    next_run_at: '2026-03-01T10:00:00.000Z',
    last_run_id: run!.id,
    last_run_trigger: 'schedule',
  });
});

test('after downtime it starts once, for the latest time, and counts the older ones (JOBS-3)', async () => {
  w.at('10:00:30');
  const p = await w.deploy('downtime', { often: '*/10 * * * *' });
  w.at('11:05:00');
  await w.tick();
  const [run] = await w.runsOf(p);
  expect(run).toMatchObject({ scheduled_for: new Date('2026-03-01T11:00:00Z'), missed: 5 });
  expect((await w.events<Started>(p, 'RUN_STARTED'))[0]).toMatchObject({ merged: 6 });
});

test('while the project is busy one start waits, later ones merge into it, and the longest waiting starts first (JOBS-7, JOBS-12, JOBS-15)', async () => {
  w.at('12:00:30');
  const p = await w.deploy('busy', { five: '*/5 * * * *', seven: '7 * * * *' });
  w.at('12:05:00');
  await w.tick();
  w.at('12:07:00');
  await w.tick();
  w.at('12:10:00');
  await w.tick();
  w.at('12:15:00');
  await w.tick();
  expect(await w.job(p, 'five')).toMatchObject({
    state: 'waiting',
    waiting_for: { trigger: 'schedule', merged: 2, scheduled_for: '2026-03-01T12:15:00.000Z' },
  });
  expect((await w.job(p, 'five')).waits_for_run_id).toBe((await w.runsOf(p))[0]!.id);
  await w.finish(p);
  expect(await w.job(p, 'seven')).toMatchObject({ state: 'waiting to start', waits_for_run_id: null });
  expect(await w.tick()).toMatchObject({ started: 1 });
  await w.finish(p);
  await w.tick();
  expect((await w.runsOf(p)).map((run) => [run.job, run.missed])).toEqual([
    ['five', 0],
    ['seven', 0],
    ['five', 1],
  ]);
  expect((await w.events<Started>(p, 'RUN_STARTED')).map(({ merged }) => merged)).toEqual([1, 1, 2]);
});

test('a manual start that meets a waiting scheduled one becomes the scheduled one (JOBS-7)', async () => {
  w.at('13:00:30');
  const p = await w.deploy('meet', { quarter: '*/15 * * * *', other: null });
  const person = await w.person('meeting');
  w.at('13:15:00');
  await w.tick();
  await w.requestStart(p, 'quarter', person);
  w.at('13:30:00');
  await w.tick();
  await w.finish(p);
  await w.tick();
  expect((await w.runsOf(p)).at(-1)).toMatchObject({
    trigger: 'schedule',
    principal_id: p.account,
    requested_by: null,
  });
  expect((await w.events<Started>(p, 'RUN_STARTED')).at(-1)).toMatchObject({ merged: 2, trigger: 'schedule' });
});

test('a waiting start is dropped with its reason when none of its requesters still has permission (JOBS-8)', async () => {
  w.at('14:00:30');
  const p = await w.deploy('drops', { manual: null });
  const person = await w.person('colleague');
  await w.requestStart(p, 'manual', person);
  expect(await w.tick()).toMatchObject({ started: 0, dropped: 1 });
  expect((await w.events<{ reason: string }>(p, 'JOB_START_DROPPED'))[0]!.reason).toBe(
    'its requester colleague lost RUN on the environment drops',
  );
  await w.prisma.principal.update({ where: { id: person }, data: { active: false } });
  await w.requestStart(p, 'manual', person);
  await w.tick();
  expect((await w.events<{ reason: string }>(p, 'JOB_START_DROPPED')).map(({ reason }) => reason)).toContain(
    'its requester colleague was deactivated',
  );
  await w.requestStart(p, 'manual', person);
  await w.prisma.principal.update({ where: { id: person }, data: { deleted_at: new Date() } });
  await w.tick();
  expect((await w.events<{ reason: string }>(p, 'JOB_START_DROPPED')).map(({ reason }) => reason)).toContain(
    'its requester colleague was deleted',
  );
  expect(await w.runsOf(p)).toEqual([]);
});

test('a person who starts a waiting job repeatedly is stored once (JOBS-7)', async () => {
  const p = await w.deploy('repeated', { manual: null });
  const [first, second] = [await w.person('eager'), await w.person('calm')];
  for (const person of [first, first, second, first]) await w.requestStart(p, 'manual', person);
  const start = await w.prisma.jobStart.findFirstOrThrow({ where: { job_id: p.jobs['manual']! } });
  expect(start).toMatchObject({ requesters: [first, second], merged: 4 });
});

test('a merged start has the trigger of the requester for whom it starts (RUN-2)', async () => {
  const p = await w.deploy('triggers', { manual: null });
  await w.requestStart(p, 'manual', await w.person('gone'));
  await w.requestStart(p, 'manual', p.account);
  const on = { kind: 'ENVIRONMENT', environment_id: p.environmentId, object_id: p.environmentId };
  await w.prisma.grant.create({
    data: { id: w.newId(), principal_id: p.account, action: 'RUN', ...on, created_at: w.now },
  });
  expect(await w.tick()).toMatchObject({ started: 1 });
  expect(await w.runsOf(p)).toMatchObject([{ trigger: 'api', requested_by: p.account }]);
  expect(await w.events(p, 'RUN_STARTED')).toMatchObject([{ trigger: 'api', merged: 2 }]);
});

test('without a usable principal due times pass and are not caught up (JOBS-2, JOBS-15, JOBS-16)', async () => {
  w.at('15:00:30');
  const p = await w.deploy('unbound', { hourly: '0 * * * *' }, { bound: false });
  w.at('17:30:00');
  expect(await w.tick()).toMatchObject({ enqueued: 1, started: 0, dropped: 0 });
  expect(await w.job(p, 'hourly')).toMatchObject({
    state: 'no run principal',
    next_run_at: '2026-03-01T18:00:00.000Z',
  });
  await w.prisma.deployment.updateMany({
    where: { environment_id: p.environmentId },
    data: { run_as_id: p.account },
  });
  expect(await w.tick()).toMatchObject({ enqueued: 0, started: 0 });
  await w.prisma.principal.update({ where: { id: p.account }, data: { active: false } });
  expect((await w.job(p, 'hourly')).state).toBe('run principal unusable');
});

test('a pause stops the schedule only: waiting starts still run (JOBS-5, JOBS-6, JOBS-14)', async () => {
  w.at('18:00:30');
  const p = await w.deploy('paused', { hourly: '0 * * * *' });
  w.at('19:00:00');
  expect(await w.enqueue()).toMatchObject({ started: 1 });
  w.at('20:00:00');
  expect(await w.enqueue()).toMatchObject({ enqueued: 1, started: 0 });
  await setPaused(w.prisma, { id: p.jobs['hourly']!, paused: true, nextRunAt: null });
  await w.finish(p);
  expect(await w.startPending()).toMatchObject({ started: 1 });
  w.at('21:00:00');
  expect((await w.tick()).enqueued).toBe(0);
  expect(await w.job(p, 'hourly')).toMatchObject({
    state: 'paused',
    paused: true,
    next_run_at: null,
    triggers: [{ kind: 'schedule', paused: true, next_run_at: null }, { kind: 'on_demand' }],
  });
});

test('a job that was deployed before plans were stored is planned from its version', async () => {
  w.at('06:00:30');
  const p = await w.deploy('unplanned', { hourly: '0 * * * *' }, { planned: false });
  w.at('07:00:00');
  expect(await w.enqueue()).toEqual({ enqueued: 1, started: 0 });
  expect(await w.startPending()).toMatchObject({ started: 1 });
  const [run] = await w.runsOf(p);
  expect(run!.planned).toEqual([{ asset: 'a.t', depends_on: [] }]);
});

test('of several jobs of a project due at once one starts, with its tasks, and the others wait', async () => {
  w.at('04:00:30');
  const p = await w.deploy('together', { first: '0 5 * * *', second: '0 5 * * *' });
  w.at('05:00:00');
  expect(await w.enqueue()).toEqual({ enqueued: 2, started: 1 });
  const [run] = await w.runsOf(p);
  expect(run!.planned).toEqual([{ asset: 'a.t', depends_on: [] }]);
  expect((await w.job(p, 'second')).waits_for_run_id).toBe(run!.id);
  expect(await w.events<Started>(p, 'RUN_STARTED')).toEqual([
    {
      run_id: run!.id,
      job: 'first',
      repository: 'together',
      trigger: 'schedule',
      scheduled_for: '2026-03-01T05:00:00.000Z',
      missed: 0,
      merged: 1,
    },
  ]);
});

test('no deploy changes a job while it starts, and no job starts while a deploy changes it (JOBS-7)', async () => {
  const p = await w.deploy('changing', { manual: null });
  await w.requestStart(p, 'manual', p.account);
  const changed = (tx: Pick<typeof w.prisma, '$queryRaw'>) =>
    tx.$queryRaw`SELECT id FROM jobs WHERE environment_id = ${p.environmentId}::uuid FOR UPDATE SKIP LOCKED`;
  await w.prisma.$transaction(async (tx) => {
    expect(await lockReadyStarts(tx, { limit: 10 })).toMatchObject([{ job: 'manual' }]);
    expect(await changed(w.prisma)).toEqual([]);
  });
  await w.prisma.$transaction(async (tx) => {
    expect(await changed(tx)).toHaveLength(1);
    expect(await lockReadyStarts(w.prisma, { limit: 10 })).toEqual([]);
  });
});

test('a scheduler that dies between two batches loses nothing and doubles nothing', async () => {
  w.at('02:00:30');
  const projects: Project[] = [];
  for (let i = 0; i < 260; i++) projects.push(await w.deploy(`many-${i}`, { daily: '0 3 * * *' }));
  w.at('03:00:00');
  w.dieAt = 'time.enqueued';
  await expect(w.tick()).rejects.toThrow(KilledError);
  expect(await w.tick()).toMatchObject({ enqueued: 10, started: 10 });
  const environment_id = { in: projects.map((p) => p.environmentId) };
  const runs = await w.prisma.run.findMany({ where: { environment_id } });
  expect([runs.length, new Set(runs.map((run) => run.environment_id)).size]).toEqual([260, 260]);
  expect(await w.tick()).toMatchObject({ enqueued: 0, started: 0 });
});

test('a deploy concurrent with the enqueueing of a time does not restore the time (JOBS-4)', async () => {
  w.at('18:30:30');
  const crons = { minutely: '* * * * *' };
  const p = await w.deploy('racing', crons);
  const rounds = 15;
  for (let minute = 31; minute < 31 + rounds; minute++) {
    w.at(`18:${minute}:00`);
    await Promise.all([w.redeploy(p, crons), w.enqueue()]);
    await w.tick();
    await w.finish(p);
  }
  const merged = (await w.events<Started>(p, 'RUN_STARTED')).map((event) => event.merged);
  expect(merged).toEqual(Array(rounds).fill(1));
});

test('next times are recomputed when the zone database has changed, due ones stay due', async () => {
  w.at('19:30:30');
  const p = await w.deploy('zones', { daily: '0 20 * * *', due: '0 12 * * *', known: '0 22 * * *' });
  const set = (job: string, next: string, zone_database: string | null) =>
    w.prisma.job.update({
      where: { id: p.jobs[job]! },
      data: { next_run_at: new Date(`2026-03-01T${next}Z`), zone_database },
    });
  await set('daily', '20:30:00', '2000a');
  await set('due', '19:00:00', '2000a');
  await set('known', '22:30:00', zoneDatabaseVersion());
  expect(await w.refreshTimes()).toBe(1);
  expect(await w.refreshTimes()).toBe(0);
  const next = async (job: string) => (await w.job(p, job)).next_run_at?.slice(11, 19);
  expect(await next('daily')).toBe('20:00:00');
  expect(await next('due')).toBe('19:00:00');
  expect(await next('known')).toBe('22:30:00');
});

test('after the clock was set back, schedules start at their next time again (JOBS-1)', async () => {
  w.at('19:45:30');
  const p = await w.deploy('back', { daily: '0 20 * * *', yearly: '0 0 1 1 *', hourly: '0 * * * *' });
  const right = w.now;
  const next = async (job: string) => (await w.job(p, job)).next_run_at;
  const loop = w.loop();
  await loop.runOnce(signal);
  w.now = new Date('2031-06-01T12:30:00Z');
  for (let i = 0; i < 3; i++) {
    await loop.runOnce(signal);
    await w.finish(p);
  }
  expect([await next('daily'), await next('yearly')]).toEqual(['2031-06-01T20:00:00.000Z', '2032-01-01T00:00:00.000Z']);
  // In the worker that saw the wrong time, and in one that starts later.
  for (const scheduler of [loop, w.loop()]) {
    await w.prisma.job.update({
      where: { id: p.jobs['daily']! },
      data: { next_run_at: new Date('2031-06-01T20:00:00Z') },
    });
    w.now = right;
    await scheduler.runOnce(signal);
    expect(await Promise.all(['daily', 'yearly', 'hourly'].map(next))).toEqual([
      '2026-03-01T20:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
      '2026-03-01T20:00:00.000Z',
    ]);
  }
  // Less than a day: no time starts twice.
  w.at('20:00:00');
  expect(await loop.runOnce(signal)).toMatchObject({ enqueued: 2 });
  w.at('19:59:00');
  await loop.runOnce(signal);
  expect([await next('daily'), await next('hourly')]).toEqual(['2026-03-02T20:00:00.000Z', '2026-03-01T21:00:00.000Z']);
  await w.finish(p);
  await w.tick();
  await w.finish(p);
});

test('a former leader enqueues and starts nothing, and two leaders at once do nothing twice', async () => {
  w.at('22:00:30');
  const p = await w.deploy('fence', { minutely: '* * * * *' });
  w.at('22:01:00');
  const usurper = (await acquireLeaderLease(w.prisma, {
    name: 'scheduler',
    holder: w.newId(),
    now: new Date(w.now.getTime() + 2e12),
    leaseMs: 1e9,
  }))!;
  expect(await w.tick()).toMatchObject({ enqueued: 0, started: 0 });
  const old = w.lease;
  w.lease = usurper;
  const both = await Promise.all([w.tick(), w.tick()]);
  expect(both.reduce((sum, t) => sum + t.started, 0)).toBe(1);
  expect(await w.runsOf(p)).toHaveLength(1);
  w.lease = old;
  await w.prisma.lease.updateMany({ data: { holder: w.owner, fence: w.lease.fence } });
});

test('many schedules due at one moment are enqueued and started together', async () => {
  w.at('23:00:30');
  const many = 300;
  const projects: Project[] = [];
  for (let i = 0; i < many; i++) projects.push(await w.deploy(`many${i}`, { m: '1 23 * * *' }));
  w.at('23:01:00');
  const { enqueued, started } = await w.tick();
  expect([enqueued, started].every((n) => n >= many)).toBe(true);
  expect(await claimWork(w.prisma, { kind: 'runs', owner: w.owner, now: w.now, leaseMs: MINUTE })).not.toBeNull();
});
