import { SvcError } from '@svc/sdk/browser';

interface PollState {
  readonly error: unknown;
  /** Of all requests so far. */
  readonly errorUpdateCount: number;
}

/** Errors that the same request gets again. Each refusal is an event of the audit log. */
const FINAL = [401, 403, 404];
const ACTIVE_MS = 2000;
const IDLE_MS = 15_000;
const SLOWEST_MS = 60_000;

/**
 * Milliseconds until the next request: less while something happens, more while the service fails; false if requests
 * are pointless.
 */
export function pollingInterval(hasActive: boolean, { error, errorUpdateCount }: PollState): number | false {
  if (error instanceof SvcError && FINAL.includes(error.status)) return false;
  const failures = error === null ? 0 : errorUpdateCount;
  return Math.min(SLOWEST_MS, (hasActive ? ACTIVE_MS : IDLE_MS) * 2 ** Math.min(failures, 5));
}
