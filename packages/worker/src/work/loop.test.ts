import { pino } from 'pino';
import { startLoop } from './loop.ts';

const log = pino({ level: 'silent' });

test('a requested tick starts after the request, runs completely, and never rejects', async () => {
  let [started, finished] = [0, 0];
  let open: () => void = () => {};
  const loop = startLoop(
    {
      name: 'test',
      everyMs: 1_000_000,
      runOnce: async () => {
        started++;
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        finished++;
        if (finished === 2) throw new Error('some failure');
        return {};
      },
    },
    log,
  );
  const requested = [loop.tick(), loop.tick()];
  // The first tick had started before the requests, so it completes neither of them.
  expect([started, finished]).toEqual([1, 0]);
  let answered = false;
  void requested[0]!.then(() => {
    answered = true;
  });
  open();
  while (started === 1) await new Promise((resolve) => setImmediate(resolve));
  expect([finished, answered]).toEqual([1, false]);
  open();
  await Promise.all(requested);
  expect([started, finished]).toEqual([2, 2]);
  // One that stops answers who waits.
  const late = loop.tick();
  while (started === 2) await new Promise((resolve) => setImmediate(resolve));
  const stopped = loop.stop();
  const never = loop.tick();
  open();
  await Promise.all([late, never, stopped]);
  expect(finished).toBe(3);
});
