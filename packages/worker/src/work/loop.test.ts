import { pino } from 'pino';
import { startLoop } from './loop.ts';

const log = pino({ level: 'silent' });

test('a turn that is asked for begins after it was asked for, is whole, and fails with nobody', async () => {
  let [begun, ended] = [0, 0];
  let open: () => void = () => {};
  const loop = startLoop(
    {
      name: 'test',
      everyMs: 1_000_000,
      runOnce: async () => {
        begun++;
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        ended++;
        if (ended === 2) throw new Error('some failure');
        return {};
      },
    },
    log,
  );
  const asked = [loop.tick(), loop.tick()];
  // The first turn was under way before: it answers nobody.
  expect([begun, ended]).toEqual([1, 0]);
  let answered = false;
  void asked[0]!.then(() => {
    answered = true;
  });
  open();
  while (begun === 1) await new Promise((resolve) => setImmediate(resolve));
  expect([ended, answered]).toEqual([1, false]);
  open();
  await Promise.all(asked);
  expect([begun, ended]).toEqual([2, 2]);
  // One that stops answers who waits.
  const late = loop.tick();
  while (begun === 2) await new Promise((resolve) => setImmediate(resolve));
  const stopped = loop.stop();
  const never = loop.tick();
  open();
  await Promise.all([late, never, stopped]);
  expect(ended).toBe(3);
});
