import { DAY, HOUR, MINUTE } from '../../text/periods.ts';

/** A stretch of time, in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export const SHORTEST = 10 * MINUTE;
export const LONGEST = 30 * DAY;
export const DEFAULT_LENGTH = DAY;

/** A part of the period after now, for starts that are scheduled. */
const AHEAD = 1 / 24;

/**
 * What the timeline shows.
 *
 * @param until where it ends; undefined if it moves on with the time
 */
export function shownPeriod(length: number, until: number | undefined, now: number): Period {
  const to = until ?? now + length * AHEAD;
  return { from: to - length, to };
}

/** What is requested, so that the same answer serves while the period moves by less than a length. */
export function requestedPeriod({ from, to }: Period, isLive: boolean): { from: number; to: number | undefined } {
  const step = to - from;
  return {
    from: Math.floor(from / step) * step - step,
    to: isLive ? undefined : Math.ceil(to / step) * step + step,
  };
}

export const moved = ({ from, to }: Period, by: number): Period => ({ from: from + by, to: to + by });

/** The period that is `factor` times as long, around a fixed instant. */
export function zoomed({ from, to }: Period, factor: number, around: number): Period {
  const length = Math.min(LONGEST, Math.max(SHORTEST, Math.round(((to - from) * factor) / MINUTE) * MINUTE));
  const share = (around - from) / (to - from);
  const start = around - share * length;
  return { from: start, to: start + length };
}

const STEPS = [
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
];

/**
 * Instants at full local hours or days, at most `count` of them.
 *
 * @param offset minutes that the viewer's zone is behind UTC at an instant
 */
export function ticks(
  { from, to }: Period,
  count: number,
  offset = (at: number): number => new Date(at).getTimezoneOffset(),
): number[] {
  const step = STEPS.find((each) => (to - from) / each <= count) ?? STEPS.at(-1)!;
  const found: number[] = [];
  // Steps are counted in local time: a day with a change of the clock has 23 or 25 hours.
  const local = (at: number) => at - offset(at) * MINUTE;
  for (let wall = Math.ceil(local(from) / step) * step; ; wall += step) {
    const at = instantOf(wall, offset);
    if (at >= to) return found;
    if (at >= from && at !== found.at(-1)) found.push(at);
  }
}

/** The instant at which clocks show this time; during a skipped hour, the one after it. */
function instantOf(wall: number, offset: (at: number) => number): number {
  const first = wall + offset(wall) * MINUTE;
  return wall + offset(first) * MINUTE;
}
