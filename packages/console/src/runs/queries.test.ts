import { pollingInterval, sinceOf } from './queries.ts';

const now = Date.parse('2026-03-08T12:00:00Z');

test.each([
  ['6h', '2026-03-08T06:00:00.000Z'],
  ['7d', '2026-03-01T12:00:00.000Z'],
  ['soon', undefined],
  ['-1d', undefined],
  [undefined, undefined],
])('the period %s starts at %s', (period, start) => expect(sinceOf(period, now)?.toISOString()).toBe(start));

test('polling slows down while nothing happens and while the service fails', () => {
  expect([
    pollingInterval(true, 0),
    pollingInterval(false, 0),
    pollingInterval(true, 2),
    pollingInterval(true, 99),
  ]).toEqual([2000, 15_000, 8000, 60_000]);
});
