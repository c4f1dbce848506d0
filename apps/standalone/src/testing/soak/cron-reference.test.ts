import { nextTimeOf } from '@svc/core/jobs';
import { dueTimes } from './cron-reference.ts';
import { JOBS } from './timetable.ts';

/** Clocks change in each of these zones. */
const [FROM, TO] = [Date.UTC(2024, 9, 1), Date.UTC(2024, 10, 10)];

test.each(JOBS)('the reference and the rules agree on $cron in $zone', ({ cron, zone }) => {
  const times: number[] = [];
  let next = nextTimeOf(cron, zone, new Date(FROM - 1));
  for (; next !== null && next.getTime() < TO; next = nextTimeOf(cron, zone, next)) times.push(next.getTime());
  expect(dueTimes({ cron, zone }, FROM, TO)).toEqual(times);
});
