import { createRequire } from 'node:module';
import type * as Joda from '@js-joda/core';
import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { type Cron, parseCron } from './cron.ts';
import { nextTime, resolveDueTimes } from './next-time.ts';
import { isKnownZone, likelyZone, localText, zoneDatabaseVersion } from './zones.ts';

const require = createRequire(import.meta.url);
const packed = require('moment-timezone/data/packed/latest.json') as { version: string };
const { ZoneRulesProvider } = require('@js-joda/core') as typeof Joda & {
  ZoneRulesProvider: { loadTzdbData(data: unknown): void; getRules(name: string): JodaRules };
};
require('@js-joda/timezone/dist/js-joda-timezone-empty.js');
ZoneRulesProvider.loadTzdbData(packed);

interface JodaRules {
  offsetOfEpochMilli(instant: number): Joda.ZoneOffset;
}

function cronOf(text: string): Cron {
  const result = parseCron(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.cron;
}

const next = (text: string, zone: string, after: string): string | undefined =>
  nextTime(cronOf(text), zone, new Date(after))?.toISOString().replace(':00.000Z', 'Z');

describe('time zones (CRON-6)', () => {
  test('the generated data is from the newest release in the installed package', () => {
    expect(zoneDatabaseVersion()).toBe(packed.version);
  });

  test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'US/Eastern', 'Etc/GMT+12'])(
    '%s is known',
    (name) => expect(isKnownZone(name)).toBe(true),
  );

  test.each(['europe/berlin', 'UTC+2', 'SYSTEM', 'Z', '+02:00', '', 'Mars/Olympus', 'CEST', '__proto__'])(
    '%s is unknown',
    (name) => expect(isKnownZone(name)).toBe(false),
  );

  test('a name in the wrong letter case is suggested in the right one', () => {
    expect(likelyZone('america/new york')).toBe('America/New_York');
    expect(likelyZone('Mars/Olympus')).toBeNull();
  });

  test('local time has an offset and seconds', () => {
    expect(localText(new Date('2026-07-01T10:00:00Z'), 'Europe/Berlin')).toBe('2026-07-01T12:00:00+02:00');
    expect(localText(new Date('2026-07-01T10:00:00Z'), 'UTC')).toBe('2026-07-01T10:00:00Z');
  });
});

test("an invalid date has no next time and doesn't search forever", () => {
  const cron = parseCron('0 5 * * *');
  if (!cron.ok) throw new Error(cron.problem.message);
  expect(() => nextTime(cron.cron, 'UTC', new Date(Number.NaN))).toThrow(RangeError);
});

describe('one row per sentence (CRON-4, CRON-7)', () => {
  test.each([
    ['strictly after', '0 6 * * *', 'UTC', '2026-03-01T06:00:00Z', '2026-03-02T06:00Z'],
    ['seconds count', '0 6 * * *', 'UTC', '2026-03-01T05:59:59.999Z', '2026-03-01T06:00Z'],
    ['either day field', '0 0 13 * 5', 'UTC', '2026-03-01T00:00:00Z', '2026-03-06T00:00Z'],
    ['day alone beside a stepped star', '0 0 13 * */2', 'UTC', '2026-03-01T00:00:00Z', '2026-03-13T00:00Z'],
    ['weekday alone beside a stepped star', '0 0 */2 * 5', 'UTC', '2026-03-01T00:00:00Z', '2026-03-06T00:00Z'],
    ['both starred: both must match', '0 0 */2 * */5', 'UTC', '2026-03-01T00:00:00Z', '2026-03-13T00:00Z'],
    ['the leap gap at 2100', '0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', '2104-02-29T00:00Z'],
    [
      'missing time: the moment of the jump',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00Z',
    ],
    ['missing times fire once', '*/5 2 * * *', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-30T00:00Z'],
    ['repeated time: first occurrence', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30Z'],
    ['and only that one', '30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30Z'],
    ['0-23 counts as fixed', '30 0-23 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T02:30Z'],
    ['a star fires in both hours', '30 * * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30Z'],
    ['a star shifts nothing', '30 */2 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T02:30Z'],
    ['a jump over midnight', '0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', '2026-09-06T04:00Z'],
    ['half-hour change', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-03T15:30Z'],
    ['a whole day skipped', '0 12 * * *', 'Pacific/Apia', '2011-12-30T00:00:00Z', '2011-12-30T10:00Z'],
  ])('%s', (_, text, zone, after, expected) => expect(next(text, zone, after)).toBe(expected));

  test('a cron that never fires has no next time; an unknown zone throws', () => {
    expect(next('0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z')).toBeUndefined();
    expect(() => next('0 0 * * *', 'Nowhere', '2026-01-01T00:00:00Z')).toThrow(RangeError);
  });

  test('after downtime a job starts once, for the latest missed time, and counts the older ones (JOBS-3)', () => {
    const due = resolveDueTimes(
      cronOf('0 * * * *'),
      'UTC',
      new Date('2026-01-01T01:00:00Z'),
      new Date('2026-01-01T05:10:00Z'),
    );
    expect(due.scheduledFor.toISOString()).toBe('2026-01-01T05:00:00.000Z');
    expect(due.missed).toBe(4);
    expect(due.next?.toISOString()).toBe('2026-01-01T06:00:00.000Z');
  });
});

/** Walks minute by minute with another library's zone rules. Shares only the parsed fields with the code under test. */
function bruteForce(cron: Cron, rules: JodaRules, after: number, until: number): number | null {
  const matches = (instant: number): boolean => {
    const wall = new Date(instant);
    const day = cron.day.values.includes(wall.getUTCDate());
    const weekday = cron.weekday.values.includes(wall.getUTCDay());
    const either = !cron.day.star && !cron.weekday.star;
    const dayMatches = either ? day || weekday : (cron.day.star && !cron.weekday.star) || day;
    const weekdayOk = either || (cron.weekday.star && !cron.day.star) || weekday;
    return (
      dayMatches &&
      weekdayOk &&
      cron.minute.values.includes(wall.getUTCMinutes()) &&
      cron.hour.values.includes(wall.getUTCHours()) &&
      cron.month.values.includes(wall.getUTCMonth() + 1)
    );
  };
  const wallAt = (instant: number): number => instant + rules.offsetOfEpochMilli(instant).totalSeconds() * 1000;
  let shown = wallAt(after - 172_800_000);
  for (let t = after - 172_800_000; t <= until; t += 60_000) {
    const wall = wallAt(t);
    let fires = false;
    if (cron.hour.star) fires = matches(wall);
    else for (let w = shown + 60_000; w <= wall && !fires; w += 60_000) fires = matches(w);
    shown = Math.max(shown, wall);
    if (fires && t > after) return t;
  }
  return null;
}

describe('compared with a walk minute by minute', () => {
  const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
  const field = (min: number, max: number) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('*') },
      number(min, max),
      fc.tuple(number(min, max), number(min, max)).map(([a, b]) => `${a},${b}`),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      number(2, 9).map((step) => `*/${step}`),
      fc.tuple(number(min, max), number(2, 9)).map(([from, step]) => `${from}/${step}`),
    );
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Santiago',
    'UTC',
    'Africa/Casablanca',
  ];
  // The hours around clock changes in both directions, and hours without one.
  const moments = [
    '2026-03-29',
    '2026-10-25',
    '2026-03-08',
    '2026-11-01',
    '2026-04-04',
    '2026-10-04',
    '2026-09-06',
    '2026-02-15',
  ];

  test('the next time is the same', () => {
    const cases = fc.record({
      fields: fc.tuple(field(0, 59), field(0, 23), field(1, 31), fc.constant('*'), field(0, 7)),
      zone: fc.constantFrom(...zones),
      moment: fc.constantFrom(...moments),
      minutes: fc.integer({ min: -1_500, max: 1_500 }),
    });
    fc.assert(
      fc.property(cases, ({ fields, zone, moment, minutes }) => {
        const cron = cronOf(fields.join(' '));
        const after = Date.parse(`${moment}T00:00:00Z`) + minutes * 60_000;
        const until = after + 3 * 86_400_000;
        const expected = bruteForce(cron, ZoneRulesProvider.getRules(zone), after, until);
        const found = nextTime(cron, zone, new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY;
        return expected === null ? found > until : found === expected;
      }),
      { numRuns: 400 },
    );
  });
});

describe('compared with cron-parser', () => {
  const cronParserNext = (text: string, zone: string, after: string): string =>
    CronExpressionParser.parse(text, { tz: zone, currentDate: new Date(after) })
      .next()
      .toDate()
      .toISOString()
      .replace(':00.000Z', 'Z');

  test.each(['*/10 * * * *', '5 4 * * *', '0 9-17 * * 1-5', '0 0 1,15 * *', '0 0 13 * 5', '30 6 * jan,jul *'])(
    'same result away from clock changes: %s',
    (text) => {
      for (const after of ['2026-01-10T03:14:00Z', '2026-06-30T23:59:00Z']) {
        expect(next(text, 'Europe/Berlin', after)).toBe(cronParserNext(text, 'Europe/Berlin', after));
      }
    },
  );

  // The intended differences: a day field with a stepped star doesn't count (CRON-4), and a time that doesn't exist
  // fires at the jump instead of being shifted past it (CRON-7).
  test.each([
    ['0 0 13 * */2', 'UTC', '2026-03-01T00:00:00Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z'],
  ])('different by design: %s', (text, zone, after) =>
    expect(next(text, zone, after)).not.toBe(cronParserNext(text, zone, after)),
  );
});
