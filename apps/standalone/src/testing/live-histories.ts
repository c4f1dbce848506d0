import { checkHistories } from '@svc/core/drops/testing';
import { LifecycleHistory } from './lifecycle-history.ts';
import { LifecycleWorld } from './lifecycle-world.ts';

/** Random histories, one after the other, on one database and folder; calls `onFinished` after each. */
export async function liveHistories(count: number, onFinished: () => void = () => {}): Promise<void> {
  const world = await LifecycleWorld.open();
  try {
    for (const name of ['p0', 'p1']) await world.call(201, 'POST', '/principals', { name, type: 'person' });
    await checkHistories(async (ops) => {
      const history = new LifecycleHistory(world);
      for (const op of ops) await history.apply(op);
      await history.finish();
      onFinished();
    }, count);
  } finally {
    await world.close();
  }
}
