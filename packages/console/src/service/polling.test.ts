import { SvcError } from '@svc/sdk/browser';
import { pollingInterval, setLive } from './polling.ts';

const failed = (status: number, errorUpdateCount: number) => ({
  error: new SvcError('no', { status }),
  errorUpdateCount,
});
const fine = { error: null, errorUpdateCount: 0 };
afterEach(() => setLive(false));

test.each([
  ['while something happens', true, fine, 2000],
  ['while nothing happens', false, fine, 15_000],
  ['after two failures', true, failed(503, 2), 8000],
  ['after many failures', true, failed(0, 99), 60_000],
  ['after the service has recovered', true, { error: null, errorUpdateCount: 99 }, 2000],
])('polling %s', (_, hasActive, state, interval) => expect(pollingInterval(hasActive, state)).toBe(interval));

test.each([401, 403, 404])('an answer with status %i ends the polling', (status) =>
  expect(pollingInterval(true, failed(status, 1))).toBe(false),
);

test('while messages report changes, a tab polls rarely: twelve queries of an idle page stay below 0.2 requests a second', () => {
  setLive(true);
  const idle = pollingInterval(false, fine);
  expect(idle).toBe(60_000);
  expect(12 / (Number(idle) / 1000)).toBeLessThanOrEqual(0.2);
  expect(pollingInterval(true, fine)).toBe(10_000);
  expect(pollingInterval(true, failed(403, 1))).toBe(false);
});
