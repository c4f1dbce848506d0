import { parseCron } from './cron.ts';
import { scheduledTimes } from './scheduled-times.ts';
import { localText } from './zones.ts';

function listed(text: string, zone: string, after: string, count: number): string[] {
  const result = parseCron(text);
  if (!result.ok) throw new Error(result.problem.message);
  return scheduledTimes(result.cron, zone, new Date(after), count).map(
    ({ at, note }) => `${localText(at, zone)} ${note ?? '-'}`,
  );
}

test.each([
  [
    'a fixed time in the gap is moved to its end',
    ...['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z'],
    ['2026-03-29T03:00:00+02:00 moved', '2026-03-30T02:30:00+02:00 -'],
  ],
  [
    'a fixed time that comes twice fires once',
    ...['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z'],
    ['2026-10-25T02:30:00+02:00 once', '2026-10-26T02:30:00+01:00 -'],
  ],
  [
    'every hour fires in both occurrences of a repeated hour',
    ...['0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z'],
    [
      '2026-10-25T02:00:00+02:00 first_of_two',
      '2026-10-25T02:00:00+01:00 second_of_two',
      '2026-10-25T03:00:00+01:00 -',
    ],
  ],
  [
    'every hour has nothing in the gap',
    ...['0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z'],
    ['2026-03-29T01:00:00+01:00 -', '2026-03-29T03:00:00+02:00 after_gap', '2026-03-29T04:00:00+02:00 -'],
  ],
  [
    'a list that starts just before the gap notes it too',
    ...['0 * * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z'],
    ['2026-03-29T03:00:00+02:00 after_gap'],
  ],
  [
    'a gap without a matching time has no note',
    ...['0 */6 * * *', 'Europe/Berlin', '2026-03-28T20:00:00Z'],
    ['2026-03-29T00:00:00+01:00 -', '2026-03-29T06:00:00+02:00 -'],
  ],
  [
    'a half-hour change moves a time by half an hour',
    ...['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
    ['2026-10-04T02:30:00+11:00 moved'],
  ],
  ['UTC has no notes', ...['30 2 * * *', 'UTC', '2026-03-28T12:00:00Z'], ['2026-03-29T02:30:00Z -']],
  ['a cron that never fires has no times', ...['0 0 31 2 *', 'UTC', '2026-03-28T12:00:00Z'], []],
] as [string, string, string, string, string[]][])('%s (CRON-7)', (_what, cron, zone, after, expected) => {
  expect(listed(cron, zone, after, Math.max(1, expected.length))).toEqual(expected);
});
