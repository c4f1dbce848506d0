import { liveThrough } from './testing/live-through.ts';

// 300 histories of 25 steps, the same in every run; model.long.test.ts has thousands, others each time.
test('random histories end as the specification says', async () => {
  expect(await liveThrough({ seeds: [1], projects: 300, steps: 25 })).toEqual([]);
}, 240_000);
