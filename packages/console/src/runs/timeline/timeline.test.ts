import type { Job, RunTimeline } from '@svc/sdk/browser';
import { lengthOf, lengthText } from '../../text/periods.ts';
import { barAt, barsOf } from './bars.ts';
import { requestedPeriod, shownPeriod, ticks, zoomed } from './period.ts';
import { isInPeriod, rowsIn, rowsOf, type Span, spanOf } from './rows.ts';

const HOUR = 3_600_000;
const at = (minutes: number) => new Date(minutes * 60_000).toISOString();

const span = (created: number, end: number | null, changed: Partial<RunTimeline['runs'][number]> = {}): Span =>
  spanOf({
    id: `run ${created}`,
    repository: 'shop',
    status: end === null ? 'running' : 'succeeded',
    select: ['*'],
    created_at: at(created),
    started_at: at(created),
    ended_at: end === null ? null : at(end),
    job: 'nightly',
    trigger: 'schedule',
    scheduled_for: null,
    ...changed,
  });

const job = (name: string, repository = 'shop') => ({ name, repository }) as Job;

describe('periods', () => {
  test.each([
    ['90m', 1.5 * HOUR],
    ['6h', 6 * HOUR],
    ['24h', 24 * HOUR],
    ['7d', 168 * HOUR],
  ])('%s', (text, length) => {
    expect(lengthOf(text)).toBe(length);
    expect(lengthText(length)).toBe(text);
  });

  test.each([undefined, '', '7', '7w', '-1d', '1e3h', '123456m'])('%s is not a length', (text) =>
    expect(lengthOf(text)).toBeUndefined(),
  );

  test('a period without an end shows a part of the time ahead, one with an end stops there', () => {
    expect(shownPeriod(24 * HOUR, undefined, 100 * HOUR)).toEqual({ from: 77 * HOUR, to: 101 * HOUR });
    expect(shownPeriod(24 * HOUR, 50 * HOUR, 100 * HOUR)).toEqual({ from: 26 * HOUR, to: 50 * HOUR });
  });

  test('the same runs are requested while the period moves by less than its length', () => {
    const live = requestedPeriod({ from: 77 * HOUR, to: 101 * HOUR }, true);
    expect(live).toEqual({ from: 48 * HOUR, to: undefined });
    expect(requestedPeriod({ from: 78 * HOUR, to: 102 * HOUR }, true)).toEqual(live);
    expect(requestedPeriod({ from: 26 * HOUR, to: 50 * HOUR }, false)).toEqual({ from: 0, to: 96 * HOUR });
  });

  test('zooming leaves the instant below the pointer where it is, within limits', () => {
    expect(zoomed({ from: 0, to: 8 * HOUR }, 0.5, 2 * HOUR)).toEqual({ from: HOUR, to: 5 * HOUR });
    const shortest = zoomed({ from: 0, to: 8 * HOUR }, 0, 2 * HOUR);
    expect(shortest.to - shortest.from).toBe(HOUR / 6);
    const longest = zoomed({ from: 0, to: 8 * HOUR }, 1e6, 0);
    expect(longest).toEqual({ from: 0, to: 720 * HOUR });
  });

  test('ticks are at full hours of the local time, also on the day on which clocks change', () => {
    expect(ticks({ from: 0.5 * HOUR, to: 6 * HOUR }, 6, () => -60)).toEqual([1, 2, 3, 4, 5].map((h) => h * HOUR));
    // Berlin, 2026-03-29: at 01:00 UTC, clocks go from 02:00 to 03:00.
    const change = Date.UTC(2026, 2, 29, 1);
    const offset = (instant: number) => (instant < change ? -60 : -120);
    const found = ticks({ from: Date.UTC(2026, 2, 28, 23), to: Date.UTC(2026, 2, 29, 22) }, 8, offset);
    expect(found.map((tick) => new Date(tick).toISOString().slice(8, 16))).toEqual([
      '28T23:00',
      '29T01:00',
      '29T04:00',
      '29T07:00',
      '29T10:00',
      '29T13:00',
      '29T16:00',
      '29T19:00',
    ]);
  });
});

describe('rows', () => {
  const jobs = [job('nightly'), job('hourly'), job('idle')];
  const spans = [
    span(30, null),
    span(20, 25, { job: 'hourly', status: 'failed' }),
    span(10, 15, { job: null, trigger: null }),
    span(5, 6, { job: 'removed' }),
  ];
  const names = (filters: Parameters<typeof rowsOf>[2]) =>
    rowsOf(jobs, spans, filters).map(({ jobName, spans: shown }) => `${jobName} ${shown.length}`);

  test('each job has a line, also without runs and after it was removed; runs without a job come last', () =>
    expect(names({})).toEqual(['hourly 1', 'idle 0', 'nightly 1', 'removed 1', 'null 1']));

  test('filters of runs leave out lines without any', () => {
    expect(names({ status: 'failed' })).toEqual(['hourly 1']);
    expect(names({ status: 'queued,running' })).toEqual(['nightly 1']);
    expect(names({ trigger: 'schedule' })).toEqual(['hourly 1', 'nightly 1', 'removed 1']);
    expect(names({ job: 'idle' })).toEqual(['idle 0']);
    expect(names({ repository: 'other' })).toEqual([]);
  });

  test("runs around the period don't make a line for a removed job, for runs without a job, or with a filter of runs", () => {
    const linesIn = (from: number, to: number, filters: Parameters<typeof rowsOf>[2] = {}) =>
      rowsIn(rowsOf(jobs, spans, filters), { from: from * 60_000, to: to * 60_000 }).map(({ jobName }) => jobName);
    expect(linesIn(0, 40)).toEqual(['hourly', 'idle', 'nightly', 'removed', null]);
    expect(linesIn(16, 40)).toEqual(['hourly', 'idle', 'nightly']);
    expect(linesIn(0, 7)).toEqual(['hourly', 'idle', 'nightly', 'removed']);
    expect(linesIn(16, 40, { trigger: 'schedule' })).toEqual(['hourly', 'nightly']);
    expect(linesIn(26, 29, { trigger: 'schedule' })).toEqual([]);
  });

  test('jobs with the same name in two repositories have a line each', () =>
    expect(rowsOf([job('nightly', 'b'), job('nightly', 'a')], [], {}).map(({ repository }) => repository)).toEqual([
      'a',
      'b',
    ]));
});

describe('bars', () => {
  const period = { from: 0, to: 100 * 60_000 };
  const bars = (spans: Span[], width = 1000) => barsOf(spans, period, width, 60 * 60_000);

  test('a bar has the time in the queue and the time that the run took', () =>
    expect(bars([span(10, 30, { started_at: at(15) })])).toMatchObject([{ left: 100, started: 150, right: 300 }]));

  test('the bar of an active run reaches until now, a short one is wide enough to be seen', () =>
    expect(bars([span(50, null), span(10, 10)])).toMatchObject([
      { left: 100, right: 103 },
      { left: 500, right: 600 },
    ]));

  test('a busy line has many bars, so that a failure colors a few of its runs only', () => {
    const runs = Array.from({ length: 40 }, (_, i) => span(99 - i, 99 - i, i === 20 ? { status: 'failed' } : {}));
    const found = bars(runs, 100);
    expect(found.filter(({ status }) => status === 'failed')).toHaveLength(1);
    expect(Math.max(...found.map(({ left, right }) => right - left))).toBeLessThanOrEqual(6);
    expect(found.flatMap(({ spans }) => spans)).toHaveLength(40);
  });

  test('the runs of a period are those that were queued or running in it', () => {
    const runs = [span(110, 120), span(50, null), span(20, 30), span(-30, 0), span(-30, -20)];
    expect(runs.filter((run) => isInPeriod(run, period)).map(({ id }) => id)).toEqual(['run 50', 'run 20', 'run -30']);
  });

  test('runs outside of the period are left out', () =>
    expect(bars([span(200, 210), span(-20, -10), span(-20, 10)])).toMatchObject([{ left: -200, right: 100 }]));

  test('short runs that overlap become one bar with the color of the worst', () => {
    const [bar, ...others] = bars([span(12, 12), span(11, 11, { status: 'failed' }), span(10, 10)], 100);
    expect(others).toEqual([]);
    expect(bar).toMatchObject({ left: 10, status: 'failed' });
    expect(bar!.spans.map(({ id }) => id)).toEqual(['run 12', 'run 11', 'run 10']);
  });

  test('a short run during a long one has a bar of its own, which is found first', () => {
    const found = bars([span(20, 20), span(10, 90)]);
    expect(found).toHaveLength(2);
    expect(barAt(found, 201)?.spans[0]?.id).toBe('run 20');
    expect(barAt(found, 800)?.spans[0]?.id).toBe('run 10');
    expect(barAt(found, 950)).toBeNull();
  });
});
