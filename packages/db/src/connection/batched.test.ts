import { AsyncLocalStorage } from 'node:async_hooks';
import { batched } from './batched.ts';

/** Batches whose responses the test releases itself. */
function open(options: { maxConcurrent: number; maxSize: number; keyOf?: (n: number) => string }) {
  const sent: { requests: readonly number[]; settle: (error?: Error) => void; store: unknown }[] = [];
  const contexts = new AsyncLocalStorage<string>();
  const call = batched<number, string>(
    (requests) =>
      new Promise((resolve, reject) => {
        const settle = (error?: Error) => (error ? reject(error) : resolve(requests.map((n) => `<${n}>`)));
        sent.push({ requests, settle, store: contexts.getStore() });
      }),
    options,
  );
  return { call, sent, contexts };
}

/** Two iterations of the event loop: one in which a batch finishes, and one in which the next one starts. */
async function settled(): Promise<void> {
  for (let iteration = 0; iteration < 2; iteration++) await new Promise<void>((resolve) => setImmediate(resolve));
}

test('requests of one iteration of the event loop join a batch, and those that arrive during active batches the next one', async () => {
  const { call, sent } = open({ maxConcurrent: 2, maxSize: 3 });
  const answers = [1, 2, 3, 4, 5, 6, 7].map(call);
  await settled();
  expect(sent.map(({ requests }) => requests)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  answers.push(call(8));
  sent[1]!.settle();
  expect(await answers[3]).toBe('<4>');
  await settled();
  expect(sent.map(({ requests }) => requests)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8],
  ]);
  sent[2]!.settle();
  sent[0]!.settle();
  expect(await Promise.all(answers)).toEqual(['<1>', '<2>', '<3>', '<4>', '<5>', '<6>', '<7>', '<8>']);
});

test('a failed batch is repeated one request at a time, and a single request fails alone', async () => {
  const { call, sent } = open({ maxConcurrent: 1, maxSize: 9 });
  const first = call(1);
  await settled();
  const others = [2, 3].map(call);
  sent[0]!.settle(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  await settled();
  sent[1]!.settle(new Error('one of you'));
  await settled();
  expect(sent.slice(2).map(({ requests }) => requests)).toEqual([[2], [3]]);
  sent[2]!.settle(new Error('you'));
  sent[3]!.settle();
  const results = await Promise.allSettled(others);
  expect(results).toEqual([
    { status: 'rejected', reason: new Error('you') },
    { status: 'fulfilled', value: '<3>' },
  ]);
  const later = call(4);
  await settled();
  sent[4]!.settle();
  expect(await later).toBe('<4>');
});

test('requests with the same key share an answer if they wait at the same time, and one of them fails for all', async () => {
  const { call, sent } = open({ maxConcurrent: 1, maxSize: 2, keyOf: (n) => String(n % 10) });
  const answers = [1, 11, 2, 21, 3].map(call);
  await settled();
  sent[0]!.settle();
  await settled();
  sent[1]!.settle();
  expect(sent.map(({ requests }) => requests)).toEqual([[1, 2], [3]]);
  expect(await Promise.all(answers)).toEqual(['<1>', '<1>', '<2>', '<1>', '<3>']);
  const failing = [5, 15].map(call);
  await settled();
  sent[2]!.settle(new Error('refused'));
  for (const one of failing) await expect(one).rejects.toThrow('refused');
});

test('a batch runs in the async context of its first request', async () => {
  const { call, sent, contexts } = open({ maxConcurrent: 1, maxSize: 9 });
  const inContext = (name: string, i: number) => contexts.run(name, () => call(i));
  const answers = [inContext('a', 0)];
  await settled();
  answers.push(inContext('b', 1), inContext('c', 2));
  sent[0]!.settle();
  await settled();
  sent[1]!.settle();
  await Promise.all(answers);
  expect(sent.map(({ store }) => store)).toEqual(['a', 'b']);
});
