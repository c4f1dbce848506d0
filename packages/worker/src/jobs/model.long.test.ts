import { liveThrough } from './testing/live-through.ts';

// 20,000 histories; each seed that ever failed may be added to model.test.ts.
test('thousands of random histories have the specified result (JOBS-1, JOBS-2, JOBS-3, JOBS-4, JOBS-6, JOBS-7, JOBS-8, JOBS-9, JOBS-10)', async () => {
  const first = Date.now() % 2 ** 31;
  const seeds = Array.from({ length: 250 }, (_, i) => first + i);
  expect(await liveThrough({ seeds, projects: 80, steps: 40 })).toEqual([]);
});
