import { nextTimeOf } from '@svc/core/jobs';
import { setPaused } from '@svc/db/jobs';
import fc from 'fast-check';
import { Model, type ModelRun } from './testing/model.ts';
import { type Project, World } from './testing/world.ts';

const HISTORIES = 25;
const PERIODS = { five: 5, seven: 7, twenty: 20 };
const DAY = Date.UTC(2026, 2, 1);
let w: World;

beforeAll(async () => {
  w = await World.open();
});
afterAll(() => w.close());

type Op =
  | { kind: 'pass'; minutes: number }
  | { kind: 'book' | 'tick' | 'finish' | 'bind' | 'unbind' }
  | { kind: 'ask' | 'pause' | 'resume'; job: keyof typeof PERIODS };

const job = fc.constantFrom('five' as const, 'seven' as const, 'twenty' as const);
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 45 }).map((minutes) => ({ kind: 'pass' as const, minutes })) },
  { weight: 4, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'finish' as const }) },
  // A worker that dies between booking and beginning: what was booked still waits.
  { weight: 1, arbitrary: fc.constant({ kind: 'book' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'bind' as const }, { kind: 'unbind' as const }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('ask' as const, 'pause' as const, 'resume' as const), job)
      .map(([kind, j]) => ({ kind, job: j })),
  },
);

let serial = 0;

class History {
  private minute = 8 * 60 + 0.5;
  private readonly model: Model;
  private readonly project: Project;
  private readonly asker: string;

  private constructor(project: Project, asker: string) {
    this.project = project;
    this.asker = asker;
    this.model = new Model(PERIODS, this.minute);
  }

  static async begin(): Promise<History> {
    w.now = new Date(DAY + 8.0083333 * 3_600_000);
    await w.quiet();
    const name = `history${serial++}`;
    const crons = Object.fromEntries(Object.entries(PERIODS).map(([j, n]) => [j, `*/${n} * * * *`]));
    const project = await w.deploy(name, crons);
    const asker = await w.person(`${name}-asker`);
    const { environmentId } = project;
    const grant = {
      id: w.newId(),
      principal_id: asker,
      action: 'RUN',
      kind: 'ENVIRONMENT',
      environment_id: environmentId,
      object_id: environmentId,
    };
    await w.prisma.grant.create({ data: { ...grant, created_at: w.now } });
    return new History(project, asker);
  }

  async apply(step: Op): Promise<void> {
    switch (step.kind) {
      case 'pass':
        this.minute += step.minutes;
        w.now = new Date(DAY + this.minute * 60_000);
        return;
      case 'book':
        await w.book();
        this.model.book(this.minute);
        return;
      case 'tick':
        await w.tick();
        this.model.book(this.minute);
        this.model.begin();
        return;
      case 'finish':
        if (!this.model.active) return;
        await w.finish(this.project);
        this.model.finish();
        return;
      case 'bind':
      case 'unbind':
        return this.bind(step.kind === 'bind');
      case 'ask':
        await w.ask(this.project, step.job, this.asker);
        this.model.ask(step.job, this.minute);
        return;
      default:
        return this.pause(step.job, step.kind === 'pause');
    }
  }

  private async bind(bound: boolean): Promise<void> {
    const data = { run_as_id: bound ? this.project.account : null };
    await w.prisma.deployment.updateMany({ where: { environment_id: this.project.environmentId }, data });
    this.model.bound = bound;
  }

  private async pause(name: keyof typeof PERIODS, paused: boolean): Promise<void> {
    const id = this.project.jobs[name]!;
    if ((await w.job(this.project, name)).paused === paused) return;
    const nextRunAt = paused ? null : nextTimeOf(`*/${PERIODS[name]} * * * *`, 'UTC', w.now);
    await setPaused(w.prisma, { id, paused, nextRunAt });
    if (paused) this.model.pause(name);
    else this.model.resume(name, this.minute);
  }

  async compare(): Promise<void> {
    const runs = await w.runsOf(this.project);
    const merged = (await w.events<{ merged: number }>(this.project, 'RUN_STARTED')).map((event) => event.merged);
    const seen: ModelRun[] = runs.map((run, i) => ({
      job: run.job!,
      trigger: run.trigger as ModelRun['trigger'],
      scheduledFor: run.scheduled_for === null ? null : (run.scheduled_for.getTime() - DAY) / 60_000,
      missed: run.missed,
      merged: merged[i]!,
    }));
    expect(seen).toEqual(this.model.runs);
    const waiting = await w.prisma.jobStart.findMany({
      where: { environment_id: this.project.environmentId, ended_at: null },
    });
    const names = Object.fromEntries(Object.entries(this.project.jobs).map(([name, id]) => [id, name]));
    expect(
      Object.fromEntries(waiting.map((start) => [names[start.job_id], { merged: start.merged, missed: start.missed }])),
    ).toEqual(this.model.waits());
    const active = runs.filter(({ status }) => status === 'queued' || status === 'running');
    expect(active.length).toBe(this.model.active ? 1 : 0);
  }
}

test('random histories end as the specification says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 25 }), async (steps) => {
      const history = await History.begin();
      for (const step of steps) await history.apply(step);
      await history.compare();
    }),
    { numRuns: HISTORIES, endOnFailure: false },
  );
}, 600_000);
