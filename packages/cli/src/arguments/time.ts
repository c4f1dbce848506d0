import { usageError } from '../cli-error.ts';

const ZONED = /^.{10}[T ].*(z|[+-]\d\d:?\d\d)$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const LOCAL = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** Parses a time option: a time with a zone, or a date or a time in the zone of this computer. */
export function parseTime(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (ZONED.test(text) && dayExists(text.slice(0, 10)) && !Number.isNaN(new Date(text).getTime())) return text;
  const local = DATE.test(text) ? `${text}T00:00` : text.replace(' ', 'T');
  const date = LOCAL.test(local) && dayExists(local.slice(0, 10)) ? new Date(local) : new Date(Number.NaN);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw usageError(
    `Invalid time "${text}" for --${flag}. Use a time such as 2026-03-01, 2026-03-01T08:00 or 2026-03-01T08:00:00Z.`,
  );
}

/** Whether the day exists: `new Date` converts February 30 to March 2. */
function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
