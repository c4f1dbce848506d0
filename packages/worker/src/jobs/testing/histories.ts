import { nextTimeOf } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { dropStartsOf, reconcileJobs, setPaused, waitToStart } from '@svc/db/jobs';
import { type Bound, Model, type ModelVersion } from './model.ts';
import { expectedOf, observe } from './observe.ts';
import { ASSET, definition, KilledError, plansOf, TASKS, type World } from './world.ts';

const BERLIN = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };
const HOURLY = { cron: '0 * * * *', timezone: 'America/New_York' };
/** Deploys keep, change, remove and add jobs, schedules and time zones. */
const VERSIONS: readonly ModelVersion[] = [
  { a: { cron: '*/20 * * * *', timezone: 'UTC' }, b: BERLIN, c: HOURLY },
  { a: { cron: '*/30 * * * *', timezone: 'UTC' }, b: BERLIN },
  { a: { cron: '*/20 * * * *', timezone: 'UTC' }, b: { ...BERLIN, timezone: 'America/New_York' }, c: HOURLY, d: null },
];
const REQUESTERS = ['ann', 'ben'] as const;
/** Shortly before clocks in the time zones above go forward or back, and an ordinary day. */
const BEGINNINGS = ['2026-03-28T20:00:30Z', '2026-10-24T20:00:30Z', '2026-03-07T22:00:30Z', '2026-06-10T08:00:30Z'];
const MINUTE = 60_000;

/** Returns a generator of numbers in [0, 1) that the seed determines (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface History {
  model: Model;
  environmentId: string;
  repositoryId: string;
  versions: string[];
  /** Ids of the project's jobs by name. */
  ids: Map<string, string>;
  /** What happened, for readers of a test failure. */
  trace: string[];
}

/** Many projects with random histories on one clock, each compared with its model. */
export class Histories {
  private readonly w: World;
  private readonly random: () => number;
  private readonly all: History[] = [];
  private readonly people = new Map<string, string>();

  constructor(w: World, seed: number) {
    this.w = w;
    this.random = randomFrom(seed);
  }

  private pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)]!;
  }

  /** Deploys the first version into `count` projects. */
  async createProjects(count: number): Promise<void> {
    const { w } = this;
    await w.quiet();
    w.now = new Date(this.pick(BEGINNINGS));
    const mark = w.newId();
    for (const name of ['runner', 'broken', ...REQUESTERS]) this.people.set(name, w.newId());
    const person = (name: string) => (REQUESTERS as readonly string[]).includes(name);
    const created_at = w.now;
    await w.prisma.principal.createMany({
      data: [...this.people].map(([name, id]) => ({
        id,
        name: `${name}-${mark}`,
        type: person(name) ? 'person' : 'service-account',
        active: name !== 'broken',
        created_at,
      })),
    });
    for (let i = 0; i < count; i++) {
      const versions = VERSIONS.map(() => w.newId());
      const ids = new Map(Object.keys(VERSIONS[0]!).map((job) => [job, w.newId()]));
      const model = new Model();
      model.deploy(VERSIONS[0]!, w.now.getTime());
      this.all.push({ model, environmentId: w.newId(), repositoryId: w.newId(), versions, ids, trace: [] });
    }
    await this.store(mark, created_at);
  }

  private async store(mark: string, created_at: Date): Promise<void> {
    const { w, all } = this;
    const by = { created_at, created_by: this.people.get('runner')! };
    const keyOf = (h: History) => ({ environment_id: h.environmentId, repository_id: h.repositoryId });
    const name = (i: number) => `h-${mark}-${i}`;
    await w.prisma.environment.createMany({
      data: all.map((h, i) => ({ id: h.environmentId, name: name(i), created_at })),
    });
    await w.prisma.repository.createMany({
      data: all.map((h, i) => ({ id: h.repositoryId, name: name(i), created_at, updated_at: created_at })),
    });
    await w.prisma.projectVersion.createMany({
      data: all.flatMap((h, i) =>
        h.versions.map((id, v) => {
          const row = { id, ...keyOf(h), deploy_id: w.newId(), location: '', name: name(i), assets: [ASSET] };
          return { ...row, jobs: resolved(VERSIONS[v]!), ...by };
        }),
      ),
    });
    await w.prisma.deployment.createMany({
      data: all.map((h) => {
        const row = { id: w.newId(), ...keyOf(h), project_version_id: h.versions[0]!, updated_at: created_at };
        return { ...row, run_as_id: this.people.get('runner')!, ...by };
      }),
    });
    await w.prisma.job.createMany({
      data: all.flatMap((h) =>
        resolved(VERSIONS[0]!).map((job) => {
          const { next } = h.model.jobs.get(job.name)!;
          const row = { id: h.ids.get(job.name)!, ...keyOf(h), name: job.name, definition: job, ...job.schedule! };
          const tasks = { tasks: TASKS, next_run_at: new Date(next!) };
          return { ...row, ...tasks, created_at, updated_at: created_at };
        }),
      ),
    });
    await w.prisma.grant.createMany({
      data: all.flatMap((h) => REQUESTERS.map((who) => this.grantOf(h, who))),
    });
  }

  private grantOf({ environmentId }: History, who: string) {
    const on = { kind: 'ENVIRONMENT', environment_id: environmentId, object_id: environmentId };
    return { id: this.w.newId(), principal_id: this.people.get(who)!, action: 'RUN', ...on, created_at: this.w.now };
  }

  /** Moves time forward, changes most projects, and runs the scheduler or kills it halfway. */
  async step(): Promise<void> {
    this.pass();
    const starts: { history: History; job: string; who: string }[] = [];
    const finished: string[] = [];
    for (const history of this.all) await this.happen(history, starts, finished);
    await this.sendAll(starts);
    await this.w.prisma.run.updateMany({
      where: { environment_id: { in: finished }, status: { in: ['queued', 'running'] } },
      data: { status: 'succeeded', ended_at: this.w.now },
    });
    await this.tick();
  }

  private pass(): void {
    const luck = this.random();
    const minutes =
      luck < 0.05 ? -30 : luck < 0.15 ? 360 + Math.floor(this.random() * 1440) : 1 + Math.floor(this.random() * 45);
    this.w.now = new Date(this.w.now.getTime() + minutes * MINUTE);
    this.note(`clock ${this.w.now.toISOString()}`);
  }

  private note(what: string): void {
    for (const { trace } of this.all) trace.push(what);
  }

  private async happen(
    history: History,
    starts: { history: History; job: string; who: string }[],
    finished: string[],
  ): Promise<void> {
    const { model, trace } = history;
    const luck = this.random();
    if (luck < 0.4) return;
    if (luck < 0.6) {
      if (!model.active) return;
      trace.push('the run finishes');
      model.active = false;
      finished.push(history.environmentId);
    } else if (luck < 0.75) {
      const [job, who] = [this.pick([...model.jobs.keys()]), this.pick(REQUESTERS)];
      trace.push(`${who} starts ${job}`);
      model.request(job, who, this.w.now.getTime());
      starts.push({ history, job, who });
    } else if (luck < 0.85) await this.pauseOrResume(history);
    else if (luck < 0.91) await this.bind(history, this.pick(['usable', 'usable', 'unusable', 'nobody'] as const));
    else if (luck < 0.935) await this.deploy(history, Math.floor(this.random() * VERSIONS.length));
    else await this.bar(history, this.pick(REQUESTERS));
  }

  private async sendAll(starts: { history: History; job: string; who: string }[]): Promise<void> {
    const { now } = this.w;
    const requests = starts.map(({ history: { environmentId, repositoryId, ids }, job, who }) => {
      const start = { id: this.w.newId(), jobId: ids.get(job)!, environmentId, repositoryId };
      return {
        ...start,
        trigger: 'manual' as const,
        requesterId: this.people.get(who)!,
        scheduledFor: null,
        missed: 0,
        now,
      };
    });
    await waitToStart(this.w.prisma, requests);
  }

  private async pauseOrResume({ model, ids, trace }: History): Promise<void> {
    const name = this.pick([...model.jobs].filter(([, job]) => job.schedule !== null).map(([job]) => job));
    const { paused, schedule } = model.jobs.get(name)!;
    trace.push(`${paused ? 'resume' : 'pause'} ${name}`);
    const { now } = this.w;
    const id = ids.get(name)!;
    const nextRunAt = paused ? nextTimeOf(schedule!.cron, schedule!.timezone, now) : null;
    await setPaused(this.w.prisma, { id, paused: !paused, nextRunAt });
    if (paused) model.resume(name, now.getTime());
    else model.pause(name);
  }

  private async bind({ model, environmentId, trace }: History, bound: Bound): Promise<void> {
    trace.push(`bind ${bound}`);
    model.bound = bound;
    const account = { usable: this.people.get('runner')!, unusable: this.people.get('broken')!, nobody: null }[bound];
    await this.w.prisma.deployment.updateMany({
      where: { environment_id: environmentId },
      data: { run_as_id: account },
    });
  }

  private async bar(history: History, who: string): Promise<void> {
    const { model, environmentId, trace } = history;
    const barred = !model.barred.delete(who);
    trace.push(`${who} ${barred ? 'loses' : 'regains'} RUN`);
    if (!barred) return void (await this.w.prisma.grant.create({ data: this.grantOf(history, who) }));
    model.barred.add(who);
    const where = { environment_id: environmentId, principal_id: this.people.get(who)!, ended_at: null };
    await this.w.prisma.grant.updateMany({ where, data: { ended_at: this.w.now } });
  }

  private async deploy(history: History, v: number): Promise<void> {
    const { model, environmentId, repositoryId, versions, trace } = history;
    const { w } = this;
    trace.push(`deploy version ${v}`);
    model.deploy(VERSIONS[v]!, w.now.getTime());
    const nextRun = (s: { cron: string; timezone: string }) => nextTimeOf(s.cron, s.timezone, w.now);
    const r = {
      environmentId,
      repositoryId,
      jobs: resolved(VERSIONS[v]!),
      plans: plansOf(resolved(VERSIONS[v]!)),
      nextRun,
      newId: w.newId,
      now: w.now,
    };
    await inTransaction(w.deps.db, async (tx) => {
      const where = { environment_id: environmentId };
      await tx.deployment.updateMany({ where, data: { project_version_id: versions[v]! } });
      const { removed } = await reconcileJobs(tx, r);
      await dropStartsOf(tx, { jobIds: removed, reason: 'removed', now: w.now });
    });
    const live = await w.prisma.job.findMany({ where: { environment_id: environmentId, removed_at: null } });
    history.ids = new Map(live.map(({ name, id }) => [name, id]));
  }

  private async tick(): Promise<void> {
    const { w } = this;
    const now = w.now.getTime();
    const luck = this.random();
    const fate = luck < 0.1 ? 'time.enqueueing' : luck < 0.2 ? 'time.enqueued' : luck < 0.3 ? 'start.starting' : null;
    this.note(fate === null ? 'the scheduler ticks' : `the scheduler dies at ${fate}`);
    w.dieAt = fate;
    const died = await w.tick().then(
      () => null,
      (error: unknown) => {
        if (error instanceof KilledError) return fate;
        throw error;
      },
    );
    w.dieAt = null;
    for (const { model } of this.all) {
      if (died !== 'time.enqueueing') model.enqueue(now);
      if (died === null) model.startWaiting();
    }
  }

  /** Returns the differences from the models, by project, with the history that led to them. */
  async differences(): Promise<string[]> {
    const names = new Map([...this.people].map(([name, id]) => [id, name]));
    const environments = this.all.map((h) => h.environmentId);
    const seen = await observe(this.w.prisma, { environments, names });
    return this.all.flatMap(({ model, environmentId, trace }) => {
      const real = JSON.stringify(seen.get(environmentId), null, 1);
      const expected = JSON.stringify(expectedOf(model), null, 1);
      return real === expected ? [] : [`${trace.join('\n')}\nis ${real}\nnot ${expected}`];
    });
  }
}

const resolved = (version: ModelVersion) =>
  Object.entries(version).map(([name, schedule]) => definition(name, schedule?.cron ?? null, null, schedule?.timezone));
