import { checkHistories } from '@svc/core/drops/testing';
import { LifecycleHistory } from './testing/lifecycle-history.ts';
import { LifecycleWorld } from './testing/lifecycle-world.ts';

/** In CI some; `npm run test:long` as many as the rules alone are held against in core. */
const HISTORIES = process.env['TEST_LONG'] === '1' ? 20_000 : 40;

let w: LifecycleWorld;
beforeAll(async () => {
  w = await LifecycleWorld.open();
  for (const name of ['p0', 'p1']) await w.call(201, 'POST', '/principals', { name, type: 'person' });
});
afterAll(() => w.close());

test('random histories on a real database and disk end as the specification says', async () => {
  await checkHistories(async (ops) => {
    const history = new LifecycleHistory(w);
    for (const op of ops) await history.apply(op);
    await history.end();
  }, HISTORIES);
}, 40_000_000);
