import { liveHistories } from './testing/live-histories.ts';

// `npm run test:long` runs as many as core runs on the rules alone.
test('random histories on a real database and disk end as the specification says', async () => {
  await expect(liveHistories(40)).resolves.toBeUndefined();
}, 120_000);
