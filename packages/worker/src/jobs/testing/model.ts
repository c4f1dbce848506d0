import { nextTimeOf } from '@svc/core/jobs';

export interface ModelSchedule {
  cron: string;
  timezone: string;
}

/** Jobs of a version by name; null for a job without a schedule. */
export type ModelVersion = Readonly<Record<string, ModelSchedule | null>>;
export type Bound = 'usable' | 'unusable' | 'nobody';

export interface ModelRun {
  job: string;
  trigger: 'manual' | 'schedule';
  scheduledFor: number | null;
  missed: number;
  merged: number;
  /** The principal it acts as: the bound account or the requester. */
  principal: string;
}

interface ModelJob {
  serial: number;
  schedule: ModelSchedule | null;
  next: number | null;
  paused: boolean;
}

interface Waiting {
  since: number;
  order: number;
  trigger: 'manual' | 'schedule';
  scheduledFor: number | null;
  missed: number;
  merged: number;
  requesters: string[];
}

/** The scheduler of JOBS-1 to JOBS-10 for one project, in memory. Times are in milliseconds. */
export class Model {
  readonly runs: ModelRun[] = [];
  readonly drops: { job: string; because: 'requester' | 'principal' }[] = [];
  active = false;
  bound: Bound = 'usable';
  /** Principals that may no longer start runs. */
  readonly barred = new Set<string>();
  readonly jobs = new Map<string, ModelJob>();
  readonly waiting = new Map<string, Waiting>();
  private serial = 0;
  private order = 0;

  /** JOBS-1, JOBS-6 and JOBS-9. */
  deploy(version: ModelVersion, now: number): void {
    for (const name of [...this.jobs.keys()].filter((job) => !(job in version))) {
      this.jobs.delete(name);
      this.waiting.delete(name);
    }
    for (const [name, schedule] of Object.entries(version)) {
      const old = this.jobs.get(name);
      if (old !== undefined && same(old.schedule, schedule)) continue;
      const paused = old?.paused ?? false;
      const next = schedule === null || paused ? null : after(schedule, now);
      this.jobs.set(name, { serial: old?.serial ?? this.serial++, schedule, next, paused });
    }
  }

  pause(name: string): void {
    Object.assign(this.jobs.get(name)!, { paused: true, next: null });
  }

  resume(name: string, now: number): void {
    const job = this.jobs.get(name)!;
    Object.assign(job, { paused: false, next: after(job.schedule!, now) });
  }

  /** JOBS-2, JOBS-3 and JOBS-4. If nothing waits and nothing runs, an enqueued time starts at once. */
  enqueue(now: number): void {
    const free = !this.active && this.waiting.size === 0;
    const due = [...this.jobs].filter(([, { next }]) => next !== null && next <= now);
    due.sort(([, a], [, b]) => a.next! - b.next! || a.serial - b.serial);
    for (const [name, job] of due) {
      let [latest, missed] = [job.next!, 0];
      for (
        let later = after(job.schedule!, latest);
        later !== null && later <= now;
        later = after(job.schedule!, later)
      ) {
        latest = later;
        missed++;
      }
      job.next = after(job.schedule!, latest);
      if (this.bound !== 'usable') continue;
      this.wait(name, { trigger: 'schedule', scheduledFor: latest, missed, merged: 1 + missed, requesters: [] }, now);
    }
    if (free) this.startWaiting();
  }

  request(name: string, who: string, now: number): void {
    this.wait(name, { trigger: 'manual', scheduledFor: null, missed: 0, merged: 1, requesters: [who] }, now);
  }

  /** JOBS-7: a job has one waiting start; later ones merge into it. */
  private wait(name: string, start: Omit<Waiting, 'since' | 'order'>, now: number): void {
    const waiting = this.waiting.get(name);
    if (waiting === undefined) {
      this.waiting.set(name, { ...start, since: now, order: this.order++ });
      return;
    }
    if (start.trigger === 'schedule') waiting.trigger = 'schedule';
    if (waiting.scheduledFor !== null && start.scheduledFor !== null) waiting.missed++;
    waiting.missed += start.missed;
    // The clock may have gone back in between.
    waiting.scheduledFor =
      start.scheduledFor === null ? waiting.scheduledFor : Math.max(waiting.scheduledFor ?? 0, start.scheduledFor);
    waiting.merged += start.merged;
    waiting.requesters.push(...start.requesters);
  }

  /** JOBS-7, JOBS-8 and JOBS-10: what the scheduler does with the longest waiting start. */
  startWaiting(): void {
    if (this.active || this.waiting.size === 0) return;
    const [job, start] = [...this.waiting].sort(([, a], [, b]) => a.since - b.since || a.order - b.order)[0]!;
    this.waiting.delete(job);
    const requester = start.trigger === 'schedule' ? null : start.requesters.find((who) => !this.barred.has(who));
    if (requester === undefined) return void this.drops.push({ job, because: 'requester' });
    const principal = this.bound === 'usable' ? 'runner' : this.bound === 'nobody' ? requester : null;
    if (principal === null) return void this.drops.push({ job, because: 'principal' });
    const { trigger, scheduledFor, missed, merged } = start;
    this.runs.push({ job, trigger, scheduledFor, missed, merged, principal });
    this.active = true;
  }
}

const same = (a: ModelSchedule | null, b: ModelSchedule | null): boolean =>
  a?.cron === b?.cron && a?.timezone === b?.timezone;

const known = new Map<string, number | null>();

/** The cron rules have their own test, against brute force. */
function after({ cron, timezone }: ModelSchedule, time: number): number | null {
  const key = `${cron} ${timezone} ${time}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const next = nextTimeOf(cron, timezone, new Date(time))?.getTime() ?? null;
  known.set(key, next);
  return next;
}
