import { Readable } from 'node:stream';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { wholeBody } from './body-streams.ts';

test('a pause of the reader, however long, takes nothing from the time that the source has afterwards', async () => {
  let expire = () => {};
  let restarts = 0;
  const refresh = () => {
    restarts += 1;
  };
  const timer = mock.method(globalThis, 'setTimeout', (callback: () => void) => {
    expire = callback;
    return { refresh };
  });
  const source = new Readable({ read() {} });
  const body = wholeBody(source, 2 << 20, 60_000);
  timer.mock.restore();
  source.push(Buffer.alloc(1 << 20));
  await nextTurn();
  for (const _ of [1, 2, 3]) expire();
  const before = restarts;
  const read = body.toArray();
  await nextTurn();
  expect({ isOpen: !source.destroyed, isRestarted: restarts > before }).toEqual({ isOpen: true, isRestarted: true });
  expire();
  await expect(read).rejects.toThrow('no data arrived for 60000 ms');
});
