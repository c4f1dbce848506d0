import { isKnownZone, likelyZone, neverFires, parseCron, zoneDatabaseVersion } from '../jobs/index.ts';
import { type Entry, isMapEntry, isNullEntry, type Reader, readMap, readText, report } from './yaml-reader.ts';

/** When a job starts on its own: a five-field cron text and an IANA zone name. */
export interface Schedule {
  readonly cron: string;
  readonly timezone: string;
}

export interface ScheduleOverride {
  readonly cron?: string;
  readonly timezone?: string;
}

/** Zone of a schedule that doesn't name one. */
export const DEFAULT_ZONE = 'UTC';

const KEYS = ['cron', 'timezone'];

/** Parses a job's schedule; null if absent or null. */
export function readSchedule(reader: Reader, entry: Entry | undefined): Schedule | null {
  if (entry === undefined || isNullEntry(entry)) return null;
  const keys = readMap(reader, entry, KEYS);
  const cron = readCron(reader, keys.get('cron'));
  const timezone = readZone(reader, keys.get('timezone')) ?? DEFAULT_ZONE;
  if (cron !== null) return { cron, timezone };
  if (isMapEntry(entry) && !keys.has('cron'))
    report(reader, entry, `${entry.path} has no cron`, 'add cron: "0 6 * * *", quoted');
  return null;
}

/**
 * Parses an environment's override of a schedule. Only its keys change; a job without a schedule needs at least a cron.
 */
export function readScheduleOverride(reader: Reader, entry: Entry, declared: Schedule | null): ScheduleOverride | null {
  const keys = readMap(reader, entry, KEYS);
  const cron = readCron(reader, keys.get('cron'));
  const timezone = readZone(reader, keys.get('timezone'));
  if (declared === null && !keys.has('cron')) {
    report(reader, entry, `${entry.path} has no cron, and the job has no schedule to change`, 'add cron, or use null');
    return null;
  }
  return { ...(cron === null ? {} : { cron }), ...(timezone === null ? {} : { timezone }) };
}

function readCron(reader: Reader, entry: Entry | undefined): string | null {
  const text = readText(reader, entry);
  if (entry === undefined) return null;
  if (text === null) {
    if (isNullEntry(entry)) report(reader, entry, `${entry.path} is empty`, 'write a quoted five-field cron text');
    return null;
  }
  const parsed = parseCron(text);
  const problem = parsed.ok ? neverFires(parsed.cron) : parsed.problem;
  if (problem === null) return text.trim();
  report(reader, entry, `${entry.path}: ${problem.message}`, problem.remedy);
  return null;
}

function readZone(reader: Reader, entry: Entry | undefined): string | null {
  const text = readText(reader, entry);
  if (text === null || entry === undefined || isKnownZone(text)) return text;
  const suggestion = likelyZone(text);
  const remedy =
    suggestion === null
      ? `write an IANA name such as Europe/Berlin (database ${zoneDatabaseVersion()})`
      : `names are case-sensitive: write ${suggestion}`;
  report(reader, entry, `${entry.path}: unknown time zone ${JSON.stringify(text)}`, remedy);
  return null;
}
