import { daysFromCivil } from '@svc/core/calendar';
import { DAY_MICROS, INFINITE_DAYS } from './time-text.ts';

const INFINITE_MICROS = 0x7fff_ffff_ffff_ffffn;
const DATE = /^(\d+)-(\d\d)-(\d\d)( \(BC\))?/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?/;

/** The day, counted from 1970, of a date in the JSON form of query results: of year 0 without an era, or with one before that. */
export function parseDays(text: string): number {
  if (text === 'infinity') return INFINITE_DAYS;
  if (text === '-infinity') return -INFINITE_DAYS;
  const [, year, month, day, era] = DATE.exec(text) ?? invalid(text);
  // The calendar counts astronomically: its year 0 is 1 BC.
  return daysFromCivil(era === undefined ? Number(year) : 1 - Number(year), Number(month), Number(day));
}

/** The microseconds of a time of day. */
export function parseTime(text: string): bigint {
  const [, hours, minutes, seconds, fraction = ''] = TIME.exec(text) ?? invalid(text);
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

/** The microseconds since 1970 of a timestamp in the JSON form of query results. */
export function parseMicros(text: string): bigint {
  if (text.startsWith('infinity')) return INFINITE_MICROS;
  if (text.startsWith('-infinity')) return -INFINITE_MICROS;
  const [date] = DATE.exec(text) ?? invalid(text);
  return BigInt(parseDays(date!)) * BigInt(DAY_MICROS) + parseTime(text.slice(date!.length + 1));
}

function invalid(text: string): never {
  throw new Error(`a result has the invalid time ${JSON.stringify(text)}`);
}
