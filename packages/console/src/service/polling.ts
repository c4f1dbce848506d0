import { SvcError } from '@svc/sdk/browser';

interface PollState {
  readonly error: unknown;
  /** Of all requests so far. */
  readonly errorUpdateCount: number;
}

/** Errors that the same request gets again. Each refusal is an event of the audit log. */
const FINAL = [401, 403, 404];
const POLLED = { activeMs: 2000, idleMs: 15_000 };
const SLOWEST_MS = 60_000;
/** While messages report changes, polling only makes up for one that was lost, or for steps without a message. */
const LIVE = { activeMs: 10_000, idleMs: 60_000 };

let isLive = false;

/** Whether messages of the service report changes now. */
export function setLive(live: boolean): void {
  isLive = live;
}

/**
 * Milliseconds until the next request: less while something happens, more while the service fails; false if requests
 * are pointless.
 */
export function pollingInterval(hasActive: boolean, { error, errorUpdateCount }: PollState): number | false {
  if (error instanceof SvcError && FINAL.includes(error.status)) return false;
  const failures = error === null ? 0 : errorUpdateCount;
  const { activeMs, idleMs } = isLive ? LIVE : POLLED;
  return Math.min(SLOWEST_MS, (hasActive ? activeMs : idleMs) * 2 ** Math.min(failures, 5));
}
