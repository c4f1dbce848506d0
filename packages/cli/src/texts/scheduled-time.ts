import type { DaylightNote } from '@svc/sdk/cron';
import { time } from '../output/format.ts';

const NOTES: Readonly<Record<DaylightNote, string>> = {
  moved: 'moved: the clocks skip this time',
  once: 'once: the clocks show this time twice',
  first_of_two: 'first of two: the clocks show this time twice',
  second_of_two: 'second of two: the clocks show this time twice',
  after_gap: "the clocks have gone forward: skipped times don't fire",
};

/** Width of a local time with its offset. */
const LOCAL_WIDTH = 25;

/** A time of a schedule in UTC and in the time zone, with the effect of daylight saving time. */
export function scheduledTimeLine(
  { at, local, note }: { at: string; local: string; note: DaylightNote | null },
  zone: string,
): string {
  const parts = [time(at), ...(zone === 'UTC' ? [] : [time(local).padEnd(LOCAL_WIDTH)])];
  // A newer service may send notes that this version doesn't know.
  return [...parts, ...(note === null ? [] : [NOTES[note] ?? note])].join('  ').trimEnd();
}
