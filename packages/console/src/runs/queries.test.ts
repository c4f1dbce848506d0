import { boundsOf } from './queries.ts';

const now = Date.parse('2026-03-08T12:00:00Z');

test.each([
  ['6h', '2026-03-08T06:00:00.000Z'],
  ['7d', '2026-03-01T12:00:00.000Z'],
  ['90m', '2026-03-08T10:30:00.000Z'],
  ['soon', undefined],
  ['-1d', undefined],
  [undefined, undefined],
])('the period %s starts at %s', (since, start) => {
  const bounds = boundsOf({ since, until: undefined }, now);
  expect([bounds.since?.toISOString(), bounds.until]).toEqual([start, undefined]);
});

test('a period with an end starts its length before it; an end that is not an instant is ignored', () => {
  const until = '2026-03-07T00:00:00.000Z';
  expect(boundsOf({ since: '6h', until }, now)).toEqual({
    since: new Date('2026-03-06T18:00:00Z'),
    until: new Date(until),
  });
  expect(boundsOf({ since: undefined, until: 'soon' }, now)).toEqual({ since: undefined, until: undefined });
});
