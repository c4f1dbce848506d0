import { AsyncLocalStorage } from 'node:async_hooks';
import { batched } from './batched.ts';

/** Batches whose responses the test releases itself. */
function open(options: { maxConcurrent: number; maxSize: number }) {
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

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('requests that arrive during active batches join the next batch', async () => {
  const { call, sent } = open({ maxConcurrent: 2, maxSize: 3 });
  const answers = [1, 2, 3, 4, 5, 6, 7].map(call);
  expect(sent.map(({ requests }) => requests)).toEqual([[1], [2]]);
  sent[1]!.settle();
  expect(await answers[1]).toBe('<2>');
  await settled();
  sent[0]!.settle();
  await settled();
  expect(sent.map(({ requests }) => requests)).toEqual([[1], [2], [3, 4, 5], [6, 7]]);
  sent[3]!.settle();
  sent[2]!.settle();
  expect(await Promise.all(answers)).toEqual(['<1>', '<2>', '<3>', '<4>', '<5>', '<6>', '<7>']);
});

test('a failed batch is repeated one request at a time, and a single request fails alone', async () => {
  const { call, sent } = open({ maxConcurrent: 1, maxSize: 9 });
  const [first, ...others] = [1, 2, 3].map(call);
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

test('a batch runs in the async context of its first request', async () => {
  const { call, sent, contexts } = open({ maxConcurrent: 1, maxSize: 9 });
  const answers = ['a', 'b', 'c'].map((name, i) => contexts.run(name, () => call(i)));
  sent[0]!.settle();
  await settled();
  sent[1]!.settle();
  await Promise.all(answers);
  expect(sent.map(({ store }) => store)).toEqual(['a', 'b']);
});
