/** The scheduler of the specification (2.8, scheduling rules) in a few lines, in memory, minute by minute. */
export interface ModelRun {
  job: string;
  trigger: 'manual' | 'schedule';
  /** Minute of the day; null for a start by hand. */
  scheduledFor: number | null;
  missed: number;
  merged: number;
}

interface Waiting {
  since: number;
  order: number;
  trigger: 'manual' | 'schedule';
  scheduledFor: number | null;
  missed: number;
  merged: number;
}

export class Model {
  readonly runs: ModelRun[] = [];
  active = false;
  bound = true;
  private readonly next = new Map<string, number | null>();
  private readonly paused = new Set<string>();
  private readonly waiting = new Map<string, Waiting>();
  private readonly periods: Readonly<Record<string, number>>;
  private order = 0;

  /** Jobs by name with the period of their schedule in minutes (`*\/n` of an hour). */
  constructor(periods: Readonly<Record<string, number>>, now: number) {
    this.periods = periods;
    for (const job of Object.keys(periods)) this.next.set(job, this.after(job, now));
  }

  private after(job: string, minute: number): number {
    let m = Math.floor(minute) + 1;
    while ((m % 60) % this.periods[job]! !== 0) m++;
    return m;
  }

  book(now: number): void {
    // Longest due first, as they would have been booked.
    for (const job of Object.keys(this.periods).sort((a, b) => (this.next.get(a) ?? 0) - (this.next.get(b) ?? 0))) {
      let due = this.next.get(job)!;
      if (due === null || due > now) continue;
      let missed = 0;
      for (let later = this.after(job, due); later <= now; later = this.after(job, later)) {
        due = later;
        missed++;
      }
      this.next.set(job, this.after(job, due));
      if (this.bound) this.wait(job, { trigger: 'schedule', scheduledFor: due, missed, merged: 1 + missed }, now);
    }
  }

  ask(job: string, now: number): void {
    this.wait(job, { trigger: 'manual', scheduledFor: null, missed: 0, merged: 1 }, now);
  }

  private wait(job: string, start: Omit<Waiting, 'since' | 'order'>, now: number): void {
    const held = this.waiting.get(job);
    if (held === undefined) {
      this.waiting.set(job, { ...start, since: now, order: this.order++ });
      return;
    }
    if (start.trigger === 'schedule') held.trigger = 'schedule';
    if (held.scheduledFor !== null && start.scheduledFor !== null) held.missed++;
    held.missed += start.missed;
    held.scheduledFor = start.scheduledFor ?? held.scheduledFor;
    held.merged += start.merged;
  }

  /** Begins the longest waiting start of the free project; a schedule's is dropped while nobody is bound. */
  begin(): void {
    while (!this.active && this.waiting.size > 0) {
      const [job, start] = [...this.waiting].sort(([, a], [, b]) => a.since - b.since || a.order - b.order)[0]!;
      this.waiting.delete(job);
      if (start.trigger === 'schedule' && !this.bound) return;
      const { trigger, scheduledFor, missed, merged } = start;
      this.runs.push({ job, trigger, scheduledFor, missed, merged });
      this.active = true;
    }
  }

  finish(): void {
    this.active = false;
  }

  pause(job: string): void {
    this.paused.add(job);
    this.next.set(job, null);
  }

  resume(job: string, now: number): void {
    if (this.paused.delete(job)) this.next.set(job, this.after(job, now));
  }

  /** What waits, by job. */
  waits(): Record<string, { merged: number; missed: number }> {
    return Object.fromEntries([...this.waiting].map(([job, { merged, missed }]) => [job, { merged, missed }]));
  }
}
