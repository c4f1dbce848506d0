import { instantOf } from './queries.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test.each([
  [undefined, undefined],
  ['24h', '2026-02-28T12:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['yesterday', undefined],
])('%s is %s', (text, time) => expect(instantOf(text, now)?.toISOString()).toBe(time));
