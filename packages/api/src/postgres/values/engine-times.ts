import { PgValueError } from './value-error.ts';

type TimeKind = 'date' | 'time' | 'timestamp' | 'timestamptz';

const MOMENT =
  /^(\d{4,7})-(\d\d?)-(\d\d?)(?:[ Tt](\d\d?:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|z|[+-]\d\d?(?::?\d\d)?(?::\d\d)?)?)?( BC)?$/;
const TIME = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/;
const NAMES: Readonly<Record<TimeKind, string>> = {
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp with time zone',
};

/**
 * The engine's text of a date or time that PostgreSQL reads: ISO 8601, also before Christ, or infinity.
 *
 * @throws PgValueError
 */
export function engineTime(kind: TimeKind, written: string): string {
  const text = written.trim();
  if (kind === 'time') return timeOf(text);
  if (/^-?infinity$/i.test(text)) return text.toLowerCase();
  const match = MOMENT.exec(text);
  if (match === null) throw malformed(kind, written);
  const [, year, month, day, time, zone = '', era] = match;
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysIn(match);
  if (Number(year) === 0 || !isDay) throw outOfRange(written);
  const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}${era === undefined ? '' : ' (BC)'}`;
  if (kind === 'date') return date;
  // PostgreSQL ignores the zone of a timestamp without time zone; the engine would shift the time.
  return `${date} ${timeOf(time ?? '00:00:00')}${kind === 'timestamptz' ? zone : ''}`;
}

function daysIn([, year, month, , , , era]: RegExpExecArray): number {
  const astronomical = era === undefined ? Number(year) : 1 - Number(year);
  if (Number(month) === 2) {
    return astronomical % 4 === 0 && (astronomical % 100 !== 0 || astronomical % 400 === 0) ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(Number(month)) ? 30 : 31;
}

function timeOf(text: string): string {
  const match = TIME.exec(text);
  if (match === null) throw malformed('time', text);
  const [, hours, minutes, seconds = '0'] = match.map(Number);
  const total = hours! * 3600 + minutes! * 60 + Number(seconds || 0);
  if (minutes! > 59 || Number(seconds || 0) > 60 || total > 86_400) throw outOfRange(text);
  return `${text.length > 1 && text[1] === ':' ? '0' : ''}${text}${match[3] === undefined ? ':00' : ''}`;
}

const malformed = (kind: TimeKind, text: string): PgValueError =>
  new PgValueError('22007', `invalid input syntax for type ${NAMES[kind]}: ${JSON.stringify(text)}`);

const outOfRange = (text: string): PgValueError =>
  new PgValueError('22008', `date/time field value out of range: ${JSON.stringify(text)}`);
