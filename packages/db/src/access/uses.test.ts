import { Uses } from './uses.ts';

const at = (second: number) => new Date(second * 1000);

test('each id is stored once in a period', async () => {
  const stored: string[] = [];
  const uses = new Uses<string>(
    async (use) => {
      stored.push(use);
      return true;
    },
    60_000,
    () => {},
  );
  for (const [id, second] of [
    ['a', 0],
    ['a', 59],
    ['b', 59],
    ['a', 60],
  ] as const)
    uses.note(id, at(second), () => `${id}${second}`);
  await uses.settled();
  expect(stored).toEqual(['a0', 'b59', 'a60']);
});

test('after an error or a skipped use, the next one is stored', async () => {
  const errors: unknown[] = [];
  const outcomes = [Promise.reject(new Error('away')), Promise.resolve(false), Promise.resolve(true)];
  let stored = 0;
  const uses = new Uses<null>(
    () => {
      stored += 1;
      return outcomes.shift()!;
    },
    60_000,
    (error) => errors.push(error),
  );
  for (let second = 0; second < 5; second++) {
    uses.note('a', at(second), () => null);
    await uses.settled();
  }
  expect([stored, errors]).toEqual([3, [new Error('away')]]);
});
