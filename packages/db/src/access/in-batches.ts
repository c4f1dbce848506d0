import { AsyncResource } from 'node:async_hooks';

interface Waiting<A, R> {
  ask: A;
  /** Where the ask came from: what a batch does belongs to its first one in traces. */
  from: AsyncResource;
  resolve: (answer: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Asks one by one what is answered together: an ask goes off at once while fewer than `inFlight` batches are under way;
 * else it waits for one of them to end, and goes with the others that waited, `most` at a time.
 *
 * @param answer gives the answers in the order of the asks. Where it fails for several, each is asked alone: one that the
 * database refuses fails by itself.
 */
export function inBatches<A, R>(
  answer: (asks: readonly A[]) => Promise<readonly R[]>,
  { inFlight, most }: { inFlight: number; most: number },
): (ask: A) => Promise<R> {
  const waiting: Waiting<A, R>[] = [];
  let running = 0;

  const run = async (batch: readonly Waiting<A, R>[]): Promise<void> => {
    try {
      const answers = await answer(batch.map(({ ask }) => ask));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else await Promise.all(batch.map((one) => one.from.runInAsyncScope(run, undefined, [one])));
    }
  };

  const goOn = (): void => {
    while (running < inFlight && waiting.length > 0) {
      const batch = waiting.splice(0, most);
      running++;
      void batch[0]!.from.runInAsyncScope(run, undefined, batch).finally(() => {
        running--;
        goOn();
      });
    }
  };

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, from: new AsyncResource('Ask'), resolve, reject });
      goOn();
    });
}
