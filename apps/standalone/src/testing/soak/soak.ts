import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Dice } from '../fuzz/dice.ts';
import { Checks } from './checks.ts';
import { Life } from './life.ts';
import { type MovedService, startMovedService } from './moved-service.ts';
import type { ResourceUsage } from './process.ts';
import { deployProject, startProject } from './projects.ts';
import { type DueRun, Timetable } from './timetable.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The hours of people's work. */
const NOON_MS = 12.5 * HOUR_MS;
/** The time of the daily sweep. */
const NIGHT_MS = 23.8 * HOUR_MS;

export interface SoakOptions {
  /** The first day, at midnight UTC. */
  start: Date;
  days: number;
  seed: number;
  /** Days, from 0, at whose noon the hourly job is deployed; it is removed two days later. */
  hourlyOn: readonly number[];
  /** Called at the end of each month (30 days, and the rest) with what the process and the database use. */
  onMonth?: (month: Month) => void;
}

export interface Month {
  day: number;
  runs: number;
  usage: ResourceUsage;
  /** The number of rows of each database table. */
  rows: Record<string, number>;
}

/** Runs a service through so many days in minutes: schedules, drops, expiries, sweeps; checks it each month. */
export class Soak {
  readonly months: Month[] = [];
  private readonly options: SoakOptions;
  private readonly s: MovedService;
  private readonly life: Life;
  private readonly checks: Checks;
  private readonly table: Timetable;
  private readonly dice: Dice;
  private readonly appended = new Map<string, number>();
  private readonly delivered: { count: number };
  private due: DueRun[] = [];
  private runs = 0;
  private broken = 0;

  private constructor(options: SoakOptions, s: MovedService, delivered: { count: number }) {
    this.options = options;
    this.s = s;
    this.delivered = delivered;
    this.dice = new Dice(options.seed);
    this.life = new Life(s, new Dice(options.seed + 1));
    this.checks = new Checks(s, this.life);
    const start = options.start.getTime();
    const hourly = options.hourlyOn.map((day) => ({
      from: start + day * DAY_MS + NOON_MS,
      to: start + (day + 2) * DAY_MS + NOON_MS,
    }));
    this.table = new Timetable(start + 60_000, start + options.days * DAY_MS, hourly);
  }

  /** Runs it; returns the measurements of each month. */
  static async live(options: SoakOptions): Promise<readonly Month[]> {
    const delivered = { count: 0 };
    const receiver = createServer((req, res) => {
      delivered.count++;
      req.resume();
      res.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const s = await startMovedService(options.start.getTime(), { SVC_WEBHOOKS__ALLOW_HOSTS: '127.0.0.1' });
    try {
      const soak = new Soak(options, s, delivered);
      await soak.prepare(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
      for (let day = 0; day < options.days; day++) await soak.day(day);
      return soak.months;
    } finally {
      await s.stop();
      receiver.close();
    }
  }

  private async prepare(webhook: string): Promise<void> {
    const { client, folder } = this.s;
    for (const env of ['shop', 'york']) await startProject(client, folder, env);
    const body = { name: 'alerts', values: { url: webhook, signing_key: 'shared' }, environment: true };
    expect(await this.s.call('POST', '/environments/york/secrets', { body })).toMatchObject({ status: 201 });
    await this.life.prepare();
  }

  private async day(day: number): Promise<void> {
    const { start, days, hourlyOn } = this.options;
    const midnight = start.getTime() + day * DAY_MS;
    // On some days, the service appears to be down until noon: missed schedules start once.
    const down = !hourlyOn.some((on) => Math.abs(day - on) <= 2) && this.dice.chance(0.05);
    if (!down) await this.until(midnight + NOON_MS);
    await this.runDueAt(midnight + NOON_MS);
    await this.life.live(day);
    if (hourlyOn.includes(day)) await deployProject(this.s.client, this.s.folder, 'shop', { hourly: true });
    if (hourlyOn.includes(day - 2)) await deployProject(this.s.client, this.s.folder, 'shop');
    await this.until(midnight + NIGHT_MS);
    await this.maintain(day);
    await this.s.moveTo(midnight + NIGHT_MS);
    await this.settle();
    if ((day + 1) % 30 === 0 || day === days - 1) await this.month(day);
  }

  /** Every fifth day, the service maintains the tables that were written since. */
  private async maintain(day: number): Promise<void> {
    if (day % 5 > 1) return;
    const maintenance = day % 5 === 0 ? { compact: true, expire_snapshots_older_than_days: 3 } : null;
    for (const env of ['shop', 'york']) await this.s.client.environments.update(env, { maintenance });
  }

  /** Each due time before this one, in order. */
  private async until(limit: number): Promise<void> {
    for (let time = this.table.nextBefore(limit); time !== null; time = this.table.nextBefore(limit))
      await this.runDueAt(time);
  }

  private async runDueAt(time: number): Promise<void> {
    const due = this.table.take(time);
    await this.s.moveTo(time, 'schedule');
    this.due.push(...due);
    for (const { env, job } of due) {
      const table = { daily: 'shop core.daily', twice: 'york core.twice' }[job];
      if (table !== undefined) this.appended.set(table, (this.appended.get(table) ?? 0) + 1);
      if (env === 'york' && job === 'broken') this.broken++;
    }
    await this.settle();
  }

  /** Waits until no run, start or maintenance is active. */
  private async settle(): Promise<void> {
    const { prisma } = this.s.db;
    for (;;) {
      const left = await prisma.$queryRaw<{ kind: 'runs' | 'maintenance' | 'start'; id: string; env: string }[]>`
        SELECT 'runs' AS kind, r.id, e.name AS env FROM runs r JOIN environments e ON e.id = r.environment_id WHERE r.ended_at IS NULL
        UNION ALL SELECT 'maintenance', m.id, e.name FROM maintenance m JOIN environments e ON e.id = m.environment_id WHERE m.ended_at IS NULL
        UNION ALL SELECT 'start', id, '' FROM job_starts WHERE ended_at IS NULL`;
      if (left.length === 0) return;
      for (const { kind, id, env } of left) if (kind !== 'start') await this.s.client[kind].wait(env, id);
      if (left.every(({ kind }) => kind === 'start')) await this.s.moveTo(this.s.now(), 'schedule');
    }
  }

  private async month(day: number): Promise<void> {
    // This sweep removes the files whose records the last sweep removed.
    await this.s.moveTo(this.s.now() + 60_000);
    await this.settle();
    this.runs += this.due.length;
    await this.checks.all({ runs: this.due, appended: this.appended });
    this.due = [];
    expect(this.delivered.count).toBe(this.broken);
    const month = { day: day + 1, runs: this.runs, usage: await this.s.measure(), rows: await this.rows() };
    this.months.push(month);
    this.options.onMonth?.(month);
  }

  private async rows(): Promise<Record<string, number>> {
    const { prisma } = this.s.db;
    const tables = await prisma.$queryRaw<{ name: string }[]>`
      SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`;
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await prisma.$queryRawUnsafe<{ n: bigint }[]>(`SELECT count(*) AS n FROM "${name}"`);
      counts[name] = Number(row!.n);
    }
    return counts;
  }
}
