import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@svc/db/connection';

/** Waits for work to finish. NOTIFY wakes it, and it polls once a second besides. */
export interface Waiter {
  /**
   * Calls `load` until it returns a finished record, the timeout passes or the client disconnects; returns the last
   * record seen. With `seconds` 0 it loads once. With `started` the caller has just read the record, so it waits for an
   * event before it loads the record for the first time. `local` is work of this process: the record that it resolves
   * to needn't be loaded; if it resolves to undefined, the record is loaded.
   */
  untilFinished<T>(wait: {
    id: string;
    seconds: number;
    started?: boolean;
    local?: Promise<T | undefined> | undefined;
    signal: AbortSignal;
    load: () => Promise<T>;
    isFinished: (t: T) => boolean;
  }): Promise<T>;
  /** Sleeps until a run's log grows, the run finishes, a second passes or the client disconnects. */
  untilLog(wait: { id: string; signal: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 1000;
/** Recent announcements that are remembered for requests that start to wait a moment later. */
const MAX_REMEMBERED = 1000;

export async function createWaiter(db: Database): Promise<Waiter> {
  const sleepers = new Map<string, Set<() => void>>();
  const recent = new Set<string>();
  const wake = (id: string | null) => {
    if (id !== null) {
      recent.add(id);
      for (const oldest of recent) {
        if (recent.size <= MAX_REMEMBERED) break;
        recent.delete(oldest);
      }
    }
    for (const [key, set] of sleepers) if (id === null || id === key) for (const resolve of set) resolve();
  };
  const stops = [await db.listen('svc_ended', wake), await db.listen('svc_log', wake)];
  let closing = false;
  /** Aborted by `close`, so that a request doesn't wait for a local query that the drain will cancel. */
  const closed = new AbortController();

  const sleep = (id: string, ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const set = sleepers.get(id) ?? new Set();
      sleepers.set(id, set);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        set.delete(done);
        if (set.size === 0) sleepers.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      set.add(done);
    });

  return {
    async untilFinished({ id, seconds, started = false, local, signal, load, isFinished }) {
      const deadline = performance.now() + seconds * 1000;
      if (local !== undefined) {
        const record = await settled(local, seconds * 1000, AbortSignal.any([signal, closed.signal]));
        if (record !== undefined) return record;
      }
      for (let first = started && local === undefined && !recent.has(id); ; first = false) {
        // Registered before the load, so that work that finishes between the load and the sleep still wakes it.
        const remainingMs = deadline - performance.now();
        const abort = new AbortController();
        const either = AbortSignal.any([signal, abort.signal]);
        const sleeping = remainingMs > 0 && !closing ? sleep(id, Math.min(remainingMs, POLL_MS), either) : null;
        if (first && sleeping !== null) {
          await sleeping;
          continue;
        }
        const record = await load().catch((error: unknown) => {
          abort.abort();
          throw error;
        });
        if (isFinished(record) || sleeping === null || signal.aborted || closing) {
          abort.abort();
          return record;
        }
        await sleeping;
      }
    },
    async untilLog({ id, signal }) {
      if (!closing && !signal.aborted) await sleep(id, POLL_MS, signal);
    },
    async close() {
      closing = true;
      closed.abort();
      wake(null);
      for (const stop of stops) await stop();
    },
  };
}

/** The promise's value, or undefined if the timeout passes or `signal` aborts first. */
async function settled<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([promise, delay(ms, undefined, { signal: either }).catch(() => undefined)]);
  } finally {
    over.abort();
  }
}
