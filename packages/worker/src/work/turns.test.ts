import type { WorkKind } from '@svc/db/leases';
import { Turns } from './turns.ts';

const EVERY: readonly WorkKind[] = ['queries', 'writes', 'maintenance', 'deploys', 'runs'];
const HOUR_MS = 3_600_000;

test('everything is looked for at first and when nothing was announced, else what was', () => {
  const turns = new Turns(EVERY, HOUR_MS);
  turns.announced('queries');
  expect(turns.take()).toEqual(EVERY);
  turns.announced('queries');
  turns.announced('runs');
  turns.announced('something else');
  expect(turns.take()).toEqual(['queries', 'runs']);
  expect(turns.take()).toEqual(EVERY);
});

test('announcements that may be lost make it look for everything', () => {
  const turns = new Turns(EVERY, HOUR_MS);
  turns.take();
  turns.announced(null);
  expect(turns.take()).toEqual(EVERY);
});

test('what no slot was free for is looked for once one is', () => {
  const turns = new Turns(EVERY, HOUR_MS);
  turns.take();
  expect(turns.again()).toBe(false);
  turns.missed('writes');
  expect([turns.again(), turns.take()]).toEqual([true, ['writes']]);
  expect(turns.again()).toBe(false);
});

test('a stream of announcements does not keep it from looking for everything now and then', () => {
  const turns = new Turns(EVERY, 0);
  turns.take();
  turns.announced('runs');
  expect(turns.take()).toEqual(EVERY);
});
