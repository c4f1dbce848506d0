import { dueTimes, type Timer } from './cron-reference.ts';

/** A job with a schedule. */
export interface TimedJob extends Timer {
  env: string;
  name: string;
  select: string;
}

/** A run that a schedule must start. */
export interface DueRun {
  env: string;
  job: string;
  /** Milliseconds since 1970. */
  scheduledFor: number;
  missed: number;
}

const HOURLY: TimedJob = { env: 'shop', name: 'hourly', cron: '0 * * * *', zone: 'Europe/Berlin', select: 'core.hour' };

/** Daily by local time, in real hours, by day of week and month; time zones that change in spring, in autumn, and by half an hour. */
export const JOBS: readonly TimedJob[] = [
  { env: 'shop', name: 'daily', cron: '0 6 * * *', zone: 'Europe/Berlin', select: 'core.daily' },
  { env: 'shop', name: 'night', cron: '30 2 * * *', zone: 'Europe/Berlin', select: 'core.night' },
  { env: 'shop', name: 'weekly', cron: '15 2 * * 0', zone: 'Australia/Lord_Howe', select: 'core.week' },
  { env: 'shop', name: 'last', cron: '15 4 31 * *', zone: 'UTC', select: 'core.month' },
  { env: 'york', name: 'twice', cron: '15 */12 * * 0,3,6', zone: 'America/New_York', select: 'core.twice' },
  { env: 'york', name: 'work', cron: '5 17 * * 1,4-5', zone: 'America/New_York', select: 'core.work' },
  { env: 'york', name: 'leap', cron: '0 0 29 2 *', zone: 'UTC', select: 'core.month' },
  { env: 'york', name: 'broken', cron: '45 3 * * 6', zone: 'UTC', select: 'core.broken' },
];

/** The jobs of a project; on some days, `shop` also has the hourly one. */
export const jobsOf = (env: string, { hourly = false } = {}): TimedJob[] =>
  [...JOBS, ...(hourly ? [HOURLY] : [])].filter((job) => job.env === env);

/** All due times of the soak in order, and the runs that a check of the scheduler must start. */
export class Timetable {
  private readonly due: { time: number; job: TimedJob }[] = [];
  private next = 0;

  /** @param hourly when `hourly` is deployed */
  constructor(from: number, to: number, hourly: readonly { from: number; to: number }[]) {
    const add = (job: TimedJob, start: number, end: number) =>
      this.due.push(...dueTimes(job, start, end).map((time) => ({ time, job })));
    for (const job of JOBS) add(job, from, to);
    for (const window of hourly) add(HOURLY, window.from, Math.min(window.to, to));
    this.due.sort((a, b) => a.time - b.time);
  }

  /** The next time before this one that wasn't returned yet. */
  nextBefore(time: number): number | null {
    const found = this.due[this.next];
    return found !== undefined && found.time < time ? found.time : null;
  }

  /** What a check at this time must start: one run of each job, for the latest time. */
  take(now: number): DueRun[] {
    const runs = new Map<TimedJob, DueRun>();
    for (; this.next < this.due.length && this.due[this.next]!.time <= now; this.next++) {
      const { time, job } = this.due[this.next]!;
      const missed = (runs.get(job)?.missed ?? -1) + 1;
      runs.set(job, { env: job.env, job: job.name, scheduledFor: time, missed });
    }
    return [...runs.values()];
  }
}
