import { WORK_QUEUES } from '@svc/db/leases';
import { PollQueue } from './poll-queue.ts';

const HOUR_MS = 3_600_000;

test('polls every queue at first and without announcements, otherwise the announced queues', () => {
  const queue = new PollQueue(WORK_QUEUES, HOUR_MS);
  queue.announce('queries');
  expect(queue.next()).toEqual(WORK_QUEUES);
  queue.announce('queries');
  queue.announce('runs');
  queue.announce('something else');
  expect(queue.next()).toEqual(['queries', 'runs']);
  expect(queue.next()).toEqual(WORK_QUEUES);
});

test('polls every queue if announcements may have been lost', () => {
  const queue = new PollQueue(WORK_QUEUES, HOUR_MS);
  queue.next();
  queue.announce(null);
  expect(queue.next()).toEqual(WORK_QUEUES);
});

test('polls a queue that lacked a slot as soon as one is free', () => {
  const queue = new PollQueue(WORK_QUEUES, HOUR_MS);
  queue.next();
  expect(queue.slotFreed()).toBe(false);
  queue.markWithoutSlot('writes');
  expect([queue.slotFreed(), queue.next()]).toEqual([true, ['writes']]);
  expect(queue.slotFreed()).toBe(false);
});

test('polls every queue occasionally despite a stream of announcements', () => {
  const queue = new PollQueue(WORK_QUEUES, 0);
  queue.next();
  queue.announce('runs');
  expect(queue.next()).toEqual(WORK_QUEUES);
});
