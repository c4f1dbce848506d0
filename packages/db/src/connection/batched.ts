import { AsyncResource } from 'node:async_hooks';

interface Caller<R> {
  resolve: (answer: R) => void;
  reject: (error: unknown) => void;
}

interface Waiting<A, R> {
  request: A;
  /** The async context of the first caller. Traces attribute a batch to its first request. */
  from: AsyncResource;
  callers: Caller<R>[];
}

interface BatchOptions<A> {
  maxConcurrent: number;
  maxSize: number;
  /** Requests with the same key that wait at the same time share one answer (default: each has its own). */
  keyOf?: (request: A) => string;
}

/**
 * Batches single requests. Those of the same iteration of the event loop join one batch, up to `maxSize`. While `maxConcurrent`
 * batches are active, further requests wait until one of them finishes.
 *
 * @param answer returns the results in the order of the requests. If a batch of several fails, each request runs alone,
 * so that one that Postgres rejects fails only itself.
 */
export function batched<A, R>(
  answer: (requests: readonly A[]) => Promise<readonly R[]>,
  { maxConcurrent, maxSize, keyOf }: BatchOptions<A>,
): (request: A) => Promise<R> {
  // In order of arrival.
  const waiting = new Map<string | symbol, Waiting<A, R>>();
  let running = 0;
  let scheduled = false;

  const run = async (batch: readonly Waiting<A, R>[]): Promise<void> => {
    try {
      const answers = await answer(batch.map(({ request }) => request));
      for (const [i, { callers }] of batch.entries()) for (const { resolve } of callers) resolve(answers[i]!);
    } catch (error) {
      if (batch.length === 1) for (const { reject } of batch[0]!.callers) reject(error);
      else await Promise.all(batch.map((one) => one.from.runInAsyncScope(run, undefined, [one])));
    }
  };

  const takeBatch = (): Waiting<A, R>[] => {
    const keys = [...waiting.keys()].slice(0, maxSize);
    return keys.map((key) => {
      const one = waiting.get(key)!;
      waiting.delete(key);
      return one;
    });
  };

  const startSoon = (): void => {
    if (scheduled || running === maxConcurrent || waiting.size === 0) return;
    scheduled = true;
    setImmediate(startNext);
  };

  const startNext = (): void => {
    scheduled = false;
    while (running < maxConcurrent && waiting.size > 0) {
      const batch = takeBatch();
      running++;
      void batch[0]!.from.runInAsyncScope(run, undefined, batch).finally(() => {
        running--;
        startSoon();
      });
    }
  };

  return (request) =>
    new Promise((resolve, reject) => {
      const key = keyOf?.(request) ?? Symbol();
      const caller = { resolve, reject };
      const same = waiting.get(key);
      if (same !== undefined) same.callers.push(caller);
      else waiting.set(key, { request, from: new AsyncResource('BatchedRequest'), callers: [caller] });
      startSoon();
    });
}
