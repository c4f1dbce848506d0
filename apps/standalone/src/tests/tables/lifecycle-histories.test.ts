import { liveHistories } from '../../testing/live-histories.ts';

// `npm run test:long` runs as many as core runs on the rules alone.
test('random histories on a real database and disk have the specified result', async () => {
  await expect(liveHistories(40)).resolves.toBeUndefined();
}, 120_000);
