import type { Traces } from '@svc/core/traces';
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { WorkMetrics } from '../metrics/work-metrics.ts';

/** Seconds since a reading of `performance.now()`. */
const since = (startedAt: number) => (performance.now() - startedAt) / 1000;

/**
 * A background loop. `runOnce` does a bounded amount of work and returns counts; a line is logged if any work was done.
 */
export interface Loop {
  name: string;
  /** Pause after each iteration, in milliseconds. */
  everyMs: number;
  /** Called after each iteration; may return a shorter pause. */
  pauseMs?: () => number;
  /** Fixed times at which it also runs: a cron text for node-cron, in UTC. */
  at?: string;
  /** Only the leader's iterations do anything, so it also runs when this worker becomes the leader. */
  onlyLeader?: boolean;
  /** Iterations that did work appear in traces. */
  traced?: boolean;
  runOnce: (signal: AbortSignal) => Promise<Record<string, number>>;
}

export interface StartedLoop {
  wake: () => void;
  /** Runs a full iteration that starts after the call, and waits for it. */
  tick: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Runs a loop until it is stopped: once immediately, then with a pause after each iteration. */
export function startLoop(
  loop: Loop,
  log: Pick<Logger, 'info' | 'error'>,
  metrics?: Pick<WorkMetrics, 'loopFinished'>,
  traces?: Traces,
): StartedLoop {
  const abort = new AbortController();
  const waiters: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let skipPause: (() => void) | undefined;
  let woken = false;

  const tick = (): Promise<Record<string, number>> =>
    loop.traced && traces !== undefined
      ? traces.inTick(loop.name, () => loop.runOnce(abort.signal))
      : loop.runOnce(abort.signal);

  const pause = () =>
    new Promise<void>((resolve) => {
      skipPause = resolve;
      timer = setTimeout(resolve, loop.pauseMs?.() ?? loop.everyMs);
      if (woken || abort.signal.aborted) resolve();
    });

  const finished = (async () => {
    while (!abort.signal.aborted) {
      woken = false;
      const waiting = waiters.splice(0);
      const startedAt = performance.now();
      try {
        const counts = await tick();
        metrics?.loopFinished(loop.name, 'finished', since(startedAt), counts);
        if (Object.values(counts).some((n) => n > 0))
          log.info({ loop: loop.name, ...counts }, `${loop.name} did some work`);
      } catch (error) {
        metrics?.loopFinished(loop.name, 'failed', since(startedAt));
        if (!abort.signal.aborted)
          log.error({ err: error, loop: loop.name }, `${loop.name} failed and will be retried`);
      }
      for (const notify of waiting) notify();
      await pause();
      clearTimeout(timer);
    }
    for (const notify of waiters.splice(0)) notify();
  })();

  const wake = () => {
    woken = true;
    skipPause?.();
  };
  const ticks = loop.at === undefined ? null : schedule(loop.at, wake, { timezone: 'UTC' });
  return {
    wake,
    tick: () =>
      abort.signal.aborted
        ? finished
        : new Promise((resolve) => {
            waiters.push(resolve);
            wake();
          }),
    stop: async () => {
      abort.abort();
      await ticks?.destroy();
      wake();
      await finished;
    },
  };
}
