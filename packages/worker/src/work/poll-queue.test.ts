import { WORK_KINDS } from '@svc/db/leases';
import { PollQueue } from './poll-queue.ts';

const HOUR_MS = 3_600_000;

test('polls every kind at first and without announcements, otherwise the announced kinds', () => {
  const turns = new PollQueue(WORK_KINDS, HOUR_MS);
  turns.announced('queries');
  expect(turns.take()).toEqual(WORK_KINDS);
  turns.announced('queries');
  turns.announced('runs');
  turns.announced('something else');
  expect(turns.take()).toEqual(['queries', 'runs']);
  expect(turns.take()).toEqual(WORK_KINDS);
});

test('polls every kind if announcements may have been lost', () => {
  const turns = new PollQueue(WORK_KINDS, HOUR_MS);
  turns.take();
  turns.announced(null);
  expect(turns.take()).toEqual(WORK_KINDS);
});

test('polls a kind that lacked a slot as soon as one is free', () => {
  const turns = new PollQueue(WORK_KINDS, HOUR_MS);
  turns.take();
  expect(turns.slotFreed()).toBe(false);
  turns.noSlot('writes');
  expect([turns.slotFreed(), turns.take()]).toEqual([true, ['writes']]);
  expect(turns.slotFreed()).toBe(false);
});

test('polls every kind occasionally despite a stream of announcements', () => {
  const turns = new PollQueue(WORK_KINDS, 0);
  turns.take();
  turns.announced('runs');
  expect(turns.take()).toEqual(WORK_KINDS);
});
