import { liveHistories } from './testing/live-histories.ts';

// `npm run test:long` has as many as the rules alone are held against in core.
test('random histories on a real database and disk end as the specification says', async () => {
  await expect(liveHistories(40)).resolves.toBeUndefined();
}, 120_000);
