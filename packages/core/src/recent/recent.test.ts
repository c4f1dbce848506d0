import { recent } from './index.ts';

function counted() {
  const state = { now: 0, computed: 0, fail: false, release: () => {} };
  const read = recent(
    async () => {
      state.computed += 1;
      const n = state.computed;
      await new Promise<void>((resolve) => {
        state.release = resolve;
      });
      if (state.fail) throw new Error('failed');
      return n;
    },
    1000,
    () => state.now,
  );
  return { state, read };
}

test('concurrent callers share one computation, and later ones its result until it is too old (SERVICE-16)', async () => {
  const { state, read } = counted();
  const waiting = [read(), read(), read()];
  state.now = 5000;
  waiting.push(read());
  state.release();
  expect(await Promise.all(waiting)).toEqual([1, 1, 1, 1]);
  state.now = 5999;
  expect(await read()).toBe(1);
  state.now = 6000;
  const next = read();
  state.release();
  expect(await next).toBe(2);
});

test('a failure reaches those who waited for it, and nobody else', async () => {
  const { state, read } = counted();
  state.fail = true;
  const waiting = [read(), read()];
  state.release();
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  state.fail = false;
  const next = read();
  state.release();
  expect(await next).toBe(2);
});
