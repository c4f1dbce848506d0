import type { Cron } from './cron.ts';
import { nextTime } from './next-time.ts';
import { localText } from './zones.ts';

/**
 * The effects of daylight saving time on a scheduled time (CRON-7). With a fixed hour field: `moved` out of a gap, or
 * fired `once` although the clocks show the time twice. With a starred one: the `first_of_two` and `second_of_two`
 * occurrences, and the first time `after_gap`, in which no time fires.
 */
export const DAYLIGHT_NOTES = ['moved', 'once', 'first_of_two', 'second_of_two', 'after_gap'] as const;
export type DaylightNote = (typeof DAYLIGHT_NOTES)[number];

/** A time at which a schedule fires. */
export interface ScheduledTime {
  readonly at: Date;
  readonly note: DaylightNote | null;
}

/**
 * The first times strictly after an instant at which a cron fires in a zone; fewer than `count` if it never fires.
 * Throws RangeError for an unknown zone.
 */
export function scheduledTimes(cron: Cron, zone: string, after: Date, count: number): ScheduledTime[] {
  const times: ScheduledTime[] = [];
  for (let before = after; times.length < count; ) {
    const at = nextTime(cron, zone, before);
    if (at === null) break;
    times.push({ at, note: daylightNote(cron, zone, at, before) });
    before = at;
  }
  return times;
}

/** Longer than any clock change. */
const NEAR = 3 * 3_600_000;

/** `before` is the previous time, or the instant at which the list starts. */
function daylightNote(cron: Cron, zone: string, at: Date, before: Date): DaylightNote | null {
  const clockAt = (instant: number) => clockTime(new Date(instant), zone);
  const now = clockAt(at.getTime());
  if (!cron.hour.star && !(cron.hour.values.includes(now.hour) && cron.minute.values.includes(now.minute)))
    return 'moved';
  const repeatedLater = clockAt(at.getTime() + now.offset - clockAt(at.getTime() + NEAR).offset);
  if (repeatedLater.offset < now.offset && repeatedLater.wall === now.wall)
    return cron.hour.star ? 'first_of_two' : 'once';
  const shownBefore = clockAt(at.getTime() - (clockAt(at.getTime() - NEAR).offset - now.offset));
  if (shownBefore.offset > now.offset && shownBefore.wall === now.wall) return 'second_of_two';
  return cron.hour.star && skippedBetween(cron, clockAt(before.getTime()), now) ? 'after_gap' : null;
}

/** Whether the clocks have gone forward between two times, over a time that the cron matches. */
function skippedBetween(cron: Cron, before: ClockTime, now: ClockTime): boolean {
  if (before.offset >= now.offset) return false;
  // UTC has no gaps: there the cron fires at each wall time that it matches.
  const matched = nextTime(cron, 'UTC', new Date(`${before.wall}Z`));
  return matched !== null && matched < new Date(`${now.wall}Z`);
}

interface ClockTime {
  readonly wall: string;
  readonly hour: number;
  readonly minute: number;
  /** Milliseconds ahead of UTC. */
  readonly offset: number;
}

function clockTime(instant: Date, zone: string): ClockTime {
  const wall = localText(instant, zone).slice(0, 19);
  return {
    wall,
    hour: Number(wall.slice(11, 13)),
    minute: Number(wall.slice(14, 16)),
    offset: Date.parse(`${wall}Z`) - Math.floor(instant.getTime() / 1000) * 1000,
  };
}
