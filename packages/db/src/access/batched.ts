import { AsyncResource } from 'node:async_hooks';

interface Waiting<A, R> {
  request: A;
  /** The async context of the caller. Traces attribute a batch to its first request. */
  from: AsyncResource;
  resolve: (answer: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches single requests. A request runs immediately while fewer than `maxConcurrent` batches are active; otherwise it
 * waits until one of them finishes and joins the other waiting requests, up to `maxSize` per batch.
 *
 * @param answer returns the results in the order of the requests. If a batch of several fails, each request runs alone,
 * so that one that Postgres rejects fails only itself.
 */
export function batched<A, R>(
  answer: (requests: readonly A[]) => Promise<readonly R[]>,
  { maxConcurrent, maxSize }: { maxConcurrent: number; maxSize: number },
): (request: A) => Promise<R> {
  const waiting: Waiting<A, R>[] = [];
  let running = 0;

  const run = async (batch: readonly Waiting<A, R>[]): Promise<void> => {
    try {
      const answers = await answer(batch.map(({ request }) => request));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else await Promise.all(batch.map((one) => one.from.runInAsyncScope(run, undefined, [one])));
    }
  };

  const startNext = (): void => {
    while (running < maxConcurrent && waiting.length > 0) {
      const batch = waiting.splice(0, maxSize);
      running++;
      void batch[0]!.from.runInAsyncScope(run, undefined, batch).finally(() => {
        running--;
        startNext();
      });
    }
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, from: new AsyncResource('BatchedRequest'), resolve, reject });
      startNext();
    });
}
