import { type LiveEvent, SvcError } from '@svc/sdk/browser';
import type { QueryFilters } from '@tanstack/react-query';
import { svc } from './client.ts';
import { staleKeys } from './live-keys.ts';
import { setLive } from './polling.ts';
import { cache, rejectsSession } from './queries.ts';

/** Answers after which another attempt is pointless. */
const FINAL = [403, 404];
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** Pages load at most this often, however much changes. */
const COLLECT_MS = 2000;

/** What pages have loaded. The session changes only with a sign-in. */
const LOADED: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'session' };

/** The message after which the next connection resumes. */
export interface LivePosition {
  lastEventId: string | undefined;
}

/**
 * Follows what changes in an environment until `signal` aborts, and loads again what pages show of it. While there is no
 * connection, pages poll.
 */
export async function follow(env: string, position: LivePosition, signal: AbortSignal): Promise<void> {
  const reload = collector(env, signal);
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    let failure: unknown = null;
    try {
      for await (const event of svc.events.stream(env, { lastEventId: position.lastEventId, signal })) {
        position.lastEventId = event.event_id ?? position.lastEventId;
        if (event.kind === 'ready') {
          pauseMs = FIRST_PAUSE_MS;
          if (!signal.aborted) connected(true);
        } else reload(event);
      }
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    connected(false);
    // A query that is rejected leads to the sign-in or the account.
    if (rejectsSession(failure)) return void cache.invalidateQueries(LOADED);
    if (failure instanceof SvcError && FINAL.includes(failure.status)) return;
    if (failure instanceof SvcError && failure.status === 429) pauseMs = MAX_PAUSE_MS;
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
  }
}

/** Sets whether pages rely on messages, and lets the queries on them choose their intervals again. */
export function connected(isLive: boolean): void {
  setLive(isLive);
  for (const query of cache.getQueryCache().getAll())
    for (const observer of query.observers) observer.setOptions(observer.options);
}

/** Loads again what messages name: at once, and then as often as `COLLECT_MS` allows. */
function collector(env: string, signal: AbortSignal): (event: LiveEvent) => void {
  const events: LiveEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = () => {
    timer = undefined;
    if (events.length === 0 || signal.aborted) return;
    timer = setTimeout(load, COLLECT_MS);
    const keys = staleKeys(env, events.splice(0));
    if (keys === null) void cache.invalidateQueries(LOADED);
    else for (const queryKey of keys) void cache.invalidateQueries({ queryKey });
  };
  return (event) => {
    events.push(event);
    if (timer === undefined) load();
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
