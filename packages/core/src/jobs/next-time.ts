import { civilFromDays, daysFromCivil, daysInMonth, weekdayOf } from '../calendar/index.ts';
import { type Cron, neverFires, parseCron } from './cron.ts';
import { firstInstantOf, periodAt, type ZoneRules, zoneRules } from './zones.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * A day field that starts with `*` doesn't count beside a restricted one; of two restricted ones, either may match
 * (CRON-4).
 */
function dayMatches(cron: Cron, day: number, weekday: number): boolean {
  const byDay = cron.day.allows[day]!;
  const byWeekday = cron.weekday.allows[weekday]!;
  if (cron.day.star === cron.weekday.star) return cron.day.star ? byDay && byWeekday : byDay || byWeekday;
  return cron.day.star ? byWeekday : byDay;
}

/** The first matching day, starting at a day number. The caller has checked that the cron can fire. */
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

/**
 * The first matching wall time at or after `from`. Both are wall times read as UTC, in milliseconds, at whole minutes.
 */
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

/**
 * Fixed hours follow the wall clock: each wall time fires once, and a skipped one fires at the moment of the jump
 * (CRON-7).
 */
function nextByWallClock(cron: Cron, rules: ZoneRules, after: number): number {
  let wall = Math.floor((after + rules.offsets[periodAt(rules, after)]!) / MINUTE) * MINUTE;
  for (;;) {
    wall = nextWallTime(cron, wall);
    const instant = firstInstantOf(rules, wall);
    if (instant > after) return instant;
    wall += MINUTE;
  }
}

/**
 * Starred hours follow real time: every instant with a matching wall time fires, one constant offset after another
 * (CRON-7).
 */
function nextByRealTime(cron: Cron, rules: ZoneRules, after: number): number {
  let from = (Math.floor(after / MINUTE) + 1) * MINUTE;
  for (let i = periodAt(rules, from); ; i++) {
    const offset = rules.offsets[i]!;
    const instant = nextWallTime(cron, Math.ceil((from + offset) / MINUTE) * MINUTE) - offset;
    if (instant < rules.ends[i]!) return instant;
    from = rules.ends[i]!;
  }
}

/**
 * The first time strictly after an instant at which a cron fires in a zone (CRON-4 to CRON-7); null if it never fires.
 * Throws RangeError for an unknown zone or an invalid date.
 */
export function nextTime(cron: Cron, zone: string, after: Date): Date | null {
  const rules = zoneRules(zone);
  if (Number.isNaN(after.getTime())) throw new RangeError('after is not a valid date');
  if (neverFires(cron) !== null) return null;
  const next = cron.hour.star ? nextByRealTime : nextByWallClock;
  return new Date(next(cron, rules, after.getTime()));
}

/** The result of settling a schedule: the latest due time, the number of older missed times, and the next time. */
export interface DueTimes {
  readonly scheduledFor: Date;
  readonly missed: number;
  readonly next: Date | null;
}

/**
 * Settles a schedule whose next time has come: the job starts once, for the latest due time (JOBS-3). `due` is the
 * stored next time and must not be later than `now`.
 */
export function resolveDueTimes(cron: Cron, zone: string, due: Date, now: Date): DueTimes {
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
 * The first time strictly after an instant at which a validated cron text fires in a zone; null if it never fires.
 * Throws RangeError for a text or a zone that a deploy would refuse.
 */
export function nextTimeOf(text: string, zone: string, after: Date): Date | null {
  const read = parseCron(text);
  if (!read.ok) throw new RangeError(read.problem.message);
  return nextTime(read.cron, zone, after);
}
