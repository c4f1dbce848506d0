import { svc } from '../testing/run-svc.ts';

const next = (cron: string, after: string, more: string[] = []) =>
  svc(['cron', 'next', cron, '--timezone', 'Europe/Berlin', '--after', after, '--count', '3', ...more]);

test('times are shown in UTC and in the zone', async () => {
  const { code, stdout } = await next('30 6 * * 1-5', '2026-02-06T00:00:00Z');
  expect(code).toBe(0);
  expect(stdout).toBe(`2026-02-06 05:30:00Z  2026-02-06 06:30:00+01:00
2026-02-09 05:30:00Z  2026-02-09 06:30:00+01:00
2026-02-10 05:30:00Z  2026-02-10 06:30:00+01:00
`);
});

test('UTC needs one column only', async () => {
  const { stdout } = await svc(['cron', 'next', '@daily', '--after', '2026-02-06T00:00:00Z', '--count', '1']);
  expect(stdout).toBe('2026-02-07 00:00:00Z\n');
});

test.each([
  [
    'a fixed time in the gap',
    '30 2 * * *',
    '2026-03-28T12:00:00Z',
    '2026-03-29 01:00:00Z  2026-03-29 03:00:00+02:00  moved',
  ],
  [
    'a fixed time that comes twice',
    '30 2 * * *',
    '2026-10-24T12:00:00Z',
    '2026-10-25 00:30:00Z  2026-10-25 02:30:00+02:00  once',
  ],
  [
    'every hour over the gap',
    '0 * * * *',
    '2026-03-28T23:30:00Z',
    '2026-03-29 01:00:00Z  2026-03-29 03:00:00+02:00  the clocks have gone forward',
  ],
  [
    'every hour, first occurrence',
    '0 * * * *',
    '2026-10-24T23:30:00Z',
    '2026-10-25 00:00:00Z  2026-10-25 02:00:00+02:00  first of two',
  ],
  [
    'every hour, second occurrence',
    '0 * * * *',
    '2026-10-24T23:30:00Z',
    '2026-10-25 01:00:00Z  2026-10-25 02:00:00+01:00  second of two',
  ],
])('daylight saving time is noted: %s', async (_what, cron, after, line) => {
  const lines = (await next(cron, after)).stdout.split('\n');
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${line.replaceAll('+', '\\+')}`)));
  expect(lines.filter((text) => text.includes(line.split('  ')[2]!))).toHaveLength(1);
});

test('JSON contains the times in UTC', async () => {
  const { stdout } = await next('30 6 * * 1-5', '2026-02-06T00:00:00Z', ['-o', 'json']);
  expect(JSON.parse(stdout)).toEqual({
    times: ['2026-02-06T05:30:00.000Z', '2026-02-09T05:30:00.000Z', '2026-02-10T05:30:00.000Z'],
  });
});
