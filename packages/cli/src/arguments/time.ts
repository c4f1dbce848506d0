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
  const duration = flag === 'since' ? ', or a duration such as 30m, 2h or 1d' : '';
  throw usageError(
    `Invalid time "${text}" for --${flag}. Use a time such as 2026-03-01, 2026-03-01T08:00 or 2026-03-01T08:00:00Z${duration}.`,
  );
}

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 24 * 60 };

/** Milliseconds of a duration such as 30m, 2h or 1d; null if the text isn't one. */
function millisecondsOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * MINUTES[unit]! * 60_000;
}

/** Parses a duration option, and returns the time that long after now. */
export function parseTimeFromNow(flag: string, text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const milliseconds = millisecondsOf(text);
  if (milliseconds) return new Date(now.getTime() + milliseconds).toISOString();
  throw usageError(`Invalid duration "${text}" for --${flag}. Use a duration such as 30m, 12h or 90d.`);
}

/** Parses a duration option, and returns the time that long ago. */
export function parseTimeAgo(flag: string, text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const milliseconds = millisecondsOf(text);
  if (milliseconds) return new Date(now.getTime() - milliseconds).toISOString();
  throw usageError(`Invalid duration "${text}" for --${flag}. Use a duration such as 12h or 90d.`);
}

/** Parses a duration option into seconds; 0 needs no unit. */
export function parseSeconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = text === '0' ? 0 : millisecondsOf(text);
  if (milliseconds !== null) return milliseconds / 1000;
  throw usageError(`Invalid duration "${text}" for --${flag}. Use a duration such as 30m, 12h or 1d, or 0.`);
}

/**
 * Replaces a duration after `--since` by the time that long ago. The arguments are changed, not only the value, so that the
 * command for the next page starts at the same time.
 */
export function resolveSince(argv: readonly string[], now: Date): string[] {
  const end = argv.indexOf('--');
  return argv.map((arg, i) => {
    const [option, text = ''] = arg.startsWith('--since=') ? ['--since=', arg.slice(8)] : ['', arg];
    const isValue = option !== '' || argv[i - 1] === '--since';
    const milliseconds = millisecondsOf(text);
    if (!isValue || milliseconds === null || (end !== -1 && i > end)) return arg;
    return option + new Date(now.getTime() - milliseconds).toISOString();
  });
}

/** Whether the day exists: `new Date` converts February 30 to March 2. */
function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
