import { usage } from '../exit.ts';

const ZONED = /^.{10}[T ].*(z|[+-]\d\d:?\d\d)$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const LOCAL = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** A time of the command line: with a zone, or a date or a zone-less time read in the computer's zone (4.3). */
export function timeOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (ZONED.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(new Date(text).getTime())) return text;
  const local = DATE.test(text) ? `${text}T00:00` : text.replace(' ', 'T');
  const date = LOCAL.test(local) && isDay(local.slice(0, 10)) ? new Date(local) : new Date(Number.NaN);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw usage(`--${flag} "${text}" is no time: write 2026-03-01, 2026-03-01T08:00 or 2026-03-01T08:00:00Z.`);
}

/** Whether a calendar has the day: `new Date` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
