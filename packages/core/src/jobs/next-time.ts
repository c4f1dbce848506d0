import { civilFromDays, daysFromCivil, daysInMonth, weekdayOf } from './calendar.ts';
import { type Cron, neverFires, parseCron } from './cron.ts';
import { firstInstantOf, stretchAt, type ZoneRules, zoneRules } from './zones.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Rule 4: a day field that starts with `*` does not count beside one that does not; two restricted ones add up. */
function dayMatches(cron: Cron, day: number, weekday: number): boolean {
  const byDay = cron.day.allows[day]!;
  const byWeekday = cron.weekday.allows[weekday]!;
  if (cron.day.star === cron.weekday.star) return cron.day.star ? byDay && byWeekday : byDay || byWeekday;
  return cron.day.star ? byWeekday : byDay;
}

/** The first matching day from a day number on. The caller has made sure that the cron fires at all. */
function nextDay(cron: Cron, from: number): number {
  let { year, month, day } = civilFromDays(from);
  for (;;) {
    if (cron.month.allows[month]) {
      const first = daysFromCivil(year, month, 1);
      const length = daysInMonth(year, month);
      for (; day <= length; day++) {
        const days = first + day - 1;
        if (dayMatches(cron, day, weekdayOf(days))) return days;
      }
    }
    day = 1;
    month += 1;
    if (month > 12) {
      month = 1;
      year += 1;
    }
  }
}

/** The first wall time that matches, at or after a wall time (both read as if UTC, in milliseconds, whole minutes). */
function nextWallTime(cron: Cron, from: number): number {
  const today = Math.floor(from / DAY);
  const day = nextDay(cron, today);
  const sinceMidnight = day === today ? (from - today * DAY) / MINUTE : 0;
  const earliestHour = Math.floor(sinceMidnight / 60);
  for (const hour of cron.hour.values) {
    if (hour < earliestHour) continue;
    for (const minute of cron.minute.values) {
      if (hour * 60 + minute >= sinceMidnight) return day * DAY + (hour * 60 + minute) * MINUTE;
    }
  }
  return nextWallTime(cron, (day + 1) * DAY);
}

/** Fixed hours follow the wall clock: each wall time fires once, one that is skipped at the moment of the jump. */
function nextByWallClock(cron: Cron, rules: ZoneRules, after: number): number {
  let wall = Math.floor((after + rules.offsets[stretchAt(rules, after)]!) / MINUTE) * MINUTE;
  for (;;) {
    wall = nextWallTime(cron, wall);
    const instant = firstInstantOf(rules, wall);
    if (instant > after) return instant;
    wall += MINUTE;
  }
}

/** Starred hours follow real time: every instant whose wall time matches fires, stretch by stretch. */
function nextByRealTime(cron: Cron, rules: ZoneRules, after: number): number {
  let from = (Math.floor(after / MINUTE) + 1) * MINUTE;
  for (let i = stretchAt(rules, from); ; i++) {
    const offset = rules.offsets[i]!;
    const instant = nextWallTime(cron, Math.ceil((from + offset) / MINUTE) * MINUTE) - offset;
    if (instant < rules.ends[i]!) return instant;
    from = rules.ends[i]!;
  }
}

/**
 * The first time strictly after an instant at which a cron fires in a zone; null when it never fires
 * (specification 2.8, cron rules 4–7). Throws RangeError for an unknown zone, and for a date that is none.
 */
export function nextTime(cron: Cron, zone: string, after: Date): Date | null {
  const rules = zoneRules(zone);
  if (Number.isNaN(after.getTime())) throw new RangeError('after is no date');
  if (neverFires(cron) !== null) return null;
  const next = cron.hour.star ? nextByRealTime : nextByWallClock;
  return new Date(next(cron, rules, after.getTime()));
}

/** What a schedule owes: the latest time due, how many older ones it stands for, and the next one to come. */
export interface DueTimes {
  readonly scheduledFor: Date;
  readonly missed: number;
  readonly next: Date | null;
}

/**
 * Settles a schedule whose next time has come: the job starts once, for the latest due time (specification 2.8,
 * scheduling rule 3). `due` is the stored next time and must not be later than `now`.
 */
export function settleDue(cron: Cron, zone: string, due: Date, now: Date): DueTimes {
  let scheduledFor = due;
  let missed = 0;
  for (;;) {
    const next = nextTime(cron, zone, scheduledFor);
    if (next === null || next > now) return { scheduledFor, missed, next };
    scheduledFor = next;
    missed += 1;
  }
}

/**
 * The first time strictly after an instant at which a checked cron text fires in a zone; null when it never does.
 * Throws RangeError for a text or a zone that a deploy would have refused.
 */
export function nextTimeOf(text: string, zone: string, after: Date): Date | null {
  const read = parseCron(text);
  if (!read.ok) throw new RangeError(read.problem.message);
  return nextTime(read.cron, zone, after);
}
