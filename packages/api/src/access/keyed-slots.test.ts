import { KeyedSlots } from './keyed-slots.ts';

test('work of one key runs in order, as much of it at a time as is allowed, also after failures (ACCESS-26)', async () => {
  const slots = new KeyedSlots(2);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const results = [0, 1, 2, 3].map((i) =>
    slots.run('a', async () => {
      started.push(i);
      await new Promise<void>((resolve) => {
        finish[i] = resolve;
      });
      if (i === 0) throw new Error('failed');
      return i;
    }),
  );
  expect(await slots.run('b', async () => 'other')).toBe('other');
  expect(started).toEqual([0, 1]);
  finish[0]!();
  await expect(results[0]).rejects.toThrow('failed');
  finish[1]!();
  expect(await results[1]).toBe(1);
  expect(started).toEqual([0, 1, 2, 3]);
  finish[2]!();
  finish[3]!();
  expect(await Promise.all(results.slice(2))).toEqual([2, 3]);
  expect(await slots.run('a', async () => 'again')).toBe('again');
});
