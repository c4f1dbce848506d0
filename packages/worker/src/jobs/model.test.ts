import { liveThrough } from './testing/live-through.ts';

// The same in every run; model.long.test.ts has more and longer ones, others each time. What is due in all projects of a
// seed fits into the first batch: where a scheduler dies, it dies for all of them.
test('2,000 random histories have the specified result (JOBS-1, JOBS-2, JOBS-3, JOBS-4, JOBS-6, JOBS-7, JOBS-8, JOBS-9, JOBS-10)', async () => {
  const seeds = Array.from({ length: 25 }, (_, i) => i + 1);
  expect(await liveThrough({ seeds, projects: 80, steps: 15 })).toEqual([]);
}, 240_000);
