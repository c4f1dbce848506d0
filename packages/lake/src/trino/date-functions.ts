import { ownValue } from '@svc/core/own-value';
import { type TrinoSql, trino } from '../queries/sql-text.ts';
import type { Interval, Printed } from './constants.ts';
import type { Call, FunctionPrinter } from './function-printer.ts';
import { isMoment, trinoType } from './plan-types.ts';
import { calling, quotedNumber, textLiteral } from './trino-text.ts';

const isTimeline = ({ type }: Printed): boolean => type.id === 'DATE' || isMoment(type);

export const plusDays = (date: TrinoSql, days: TrinoSql): TrinoSql => trino`date_add('day', ${days}, ${date})`;

/** Adds months first, then days, then the rest, like DuckDB; a date becomes a timestamp. */
export function plusInterval(moment: Printed, { months, days, micros }: Interval, sign: bigint): TrinoSql | null {
  if (!isTimeline(moment) || micros % 1000n !== 0n) return null;
  let sql = moment.type.id === 'DATE' ? trino`CAST(${moment.sql} AS timestamp(6))` : moment.sql;
  for (const [unit, count] of [
    ['month', months],
    ['day', days],
    ['millisecond', micros / 1000n],
  ] as const) {
    if (count !== 0n) sql = trino`date_add(${textLiteral(unit)}, BIGINT ${quotedNumber(count * sign)}, ${sql})`;
  }
  return sql;
}

const CALENDAR = ['year', 'quarter', 'month', 'day'];
const CLOCK = ['hour', 'minute', 'second'];

/** The date parts that both engines count the same way, with Trino's names. */
const PARTS: Readonly<Record<string, (x: TrinoSql) => TrinoSql>> = {
  ...Object.fromEntries([...CALENDAR, ...CLOCK, 'week'].map((part) => [part, (x: TrinoSql) => calling(part, [x])])),
  dayofmonth: (x) => trino`day(${x})`,
  weekofyear: (x) => trino`week(${x})`,
  dayofyear: (x) => trino`day_of_year(${x})`,
  doy: (x) => trino`day_of_year(${x})`,
  isodow: (x) => trino`day_of_week(${x})`,
  dayofweek: (x) => trino`(day_of_week(${x}) % 7)`,
  weekday: (x) => trino`(day_of_week(${x}) % 7)`,
  dow: (x) => trino`(day_of_week(${x}) % 7)`,
  isoyear: (x) => trino`year_of_week(${x})`,
};

/** Aliases of date parts. */
const SPELLINGS: Readonly<Record<string, string>> = {
  years: 'year',
  y: 'year',
  yr: 'year',
  months: 'month',
  mon: 'month',
  days: 'day',
  d: 'day',
  quarters: 'quarter',
  hours: 'hour',
  h: 'hour',
  minutes: 'minute',
  min: 'minute',
  m: 'minute',
  seconds: 'second',
  sec: 'second',
  s: 'second',
  weeks: 'week',
  w: 'week',
};

function part(name: string, moment: Printed): TrinoSql | null {
  const print = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (print === undefined || !isTimeline(moment)) return null;
  if (moment.type.id === 'DATE' && CLOCK.includes(name))
    return trino`CASE WHEN ${moment.sql} IS NOT NULL THEN BIGINT '0' END`;
  return trino`CAST(${print(moment.sql)} AS bigint)`;
}

function named(value: Printed): string | null {
  if (typeof value.constant !== 'string') return null;
  const name = value.constant.toLowerCase();
  return ownValue(SPELLINGS, name) ?? name;
}

const datePart = ({ args, type }: Call): TrinoSql | null => {
  const name = args.length === 2 ? named(args[0]!) : null;
  return name === null || type.id !== 'BIGINT' ? null : part(name, args[1]!);
};

const TRUNCATED = [...CALENDAR, ...CLOCK, 'week'];

function truncate(unit: string, moment: Printed): TrinoSql | null {
  if (!TRUNCATED.includes(unit) || !isTimeline(moment)) return null;
  const sql = moment.type.id === 'DATE' ? trino`CAST(${moment.sql} AS timestamp(6))` : moment.sql;
  return trino`date_trunc(${textLiteral(unit)}, ${sql})`;
}

const dateTrunc = ({ args, type }: Call): TrinoSql | null => {
  const unit = args.length === 2 ? named(args[0]!) : null;
  const sql = unit === null ? null : truncate(unit, args[1]!);
  return sql === null ? null : trino`CAST(${sql} AS ${trinoType(type)})`;
};

/** DuckDB counts boundaries between two timestamps, Trino whole units. So both ends are truncated to the unit. */
const dateDiff = ({ args }: Call): TrinoSql | null => {
  const unit = args.length === 3 ? named(args[0]!) : null;
  if (unit === null || unit === 'week') return null;
  const [from, to] = [truncate(unit, args[1]!), truncate(unit, args[2]!)];
  return from === null || to === null ? null : trino`date_diff(${textLiteral(unit)}, ${from}, ${to})`;
};

/** Trino's `date_format` specifiers for those of DuckDB. */
const SPECIFIERS: Readonly<Record<string, string>> = {
  Y: '%Y',
  m: '%m',
  d: '%d',
  H: '%H',
  M: '%i',
  S: '%s',
  j: '%j',
  y: '%y',
  '%': '%%',
};

const strftime = ({ args }: Call): TrinoSql | null => {
  const [moment, format] = args as [Printed, Printed];
  if (args.length !== 2 || !isTimeline(moment) || typeof format.constant !== 'string') return null;
  let known = /^(?:[\x20-\x24\x26-\x7e]|%.)*$/.test(format.constant);
  const trinoFormat = format.constant.replace(/%(.)/g, (_, letter: string) => {
    if (!Object.hasOwn(SPECIFIERS, letter)) known = false;
    return SPECIFIERS[letter] ?? '';
  });
  if (!known) return null;
  const day = trino`CAST(${moment.sql} AS date)`;
  const sql = trino`date_format(CAST(${moment.sql} AS timestamp(6)), ${textLiteral(trinoFormat)})`;
  return trino`CASE WHEN ${day} BETWEEN DATE '1000-01-01' AND DATE '9999-12-31' THEN ${sql} WHEN ${day} IS NOT NULL THEN CAST(CAST('out of range' AS date) AS varchar) END`;
};

const ofParts = Object.fromEntries(
  Object.keys(PARTS)
    .filter((name) => name !== 'doy' && name !== 'dow')
    .map((name): [string, FunctionPrinter] => [name, ({ args }) => (args.length === 1 ? part(name, args[0]!) : null)]),
);

const now: FunctionPrinter = ({ args }) =>
  args.length === 0 ? trino`CAST(current_timestamp AS timestamp(6) with time zone)` : null;
const today: FunctionPrinter = ({ args }) => (args.length === 0 ? trino`current_date` : null);

/** The local time in a zone. The reverse depends on the rules for skipped and repeated hours. */
const timezone: FunctionPrinter = ({ args }) => {
  const [zone, moment] = args as [Printed, Printed];
  if (args.length !== 2 || moment.type.id !== 'TIMESTAMP WITH TIME ZONE') return null;
  if (typeof zone.constant !== 'string' || !/^(UTC|[A-Z][A-Za-z]+\/[A-Za-z_/-]+)$/.test(zone.constant)) return null;
  return trino`CAST(${moment.sql} AT TIME ZONE ${textLiteral(zone.constant)} AS timestamp(6))`;
};

export const DATE_FUNCTIONS: Readonly<Record<string, FunctionPrinter>> = {
  ...ofParts,
  date_part: datePart,
  datepart: datePart,
  date_trunc: dateTrunc,
  datetrunc: dateTrunc,
  date_diff: dateDiff,
  datediff: dateDiff,
  strftime,
  last_day: ({ args }) => (isTimeline(args[0]!) ? trino`last_day_of_month(${args[0]!.sql})` : null),
  now,
  get_current_timestamp: now,
  transaction_timestamp: now,
  current_date: today,
  today,
  timezone,
};
