import { ConnectionError, type SvcError, TimeoutError, TooManyRequests, Unavailable } from './errors.ts';

const FIRST_PAUSE = 250;
/** Longest `Retry-After` in seconds that is honored; beyond it the error is more useful. */
const MAX_RETRY_AFTER = 60;

/** Whether a second attempt may succeed. */
export function mayRepeat(error: SvcError): boolean {
  if (error.retryAfter !== undefined && error.retryAfter > MAX_RETRY_AFTER) return false;
  if (error instanceof ConnectionError) return error.code !== 'not-the-service';
  return (
    error instanceof TimeoutError ||
    error instanceof TooManyRequests ||
    error instanceof Unavailable ||
    // The first request with this key is still in progress; its response will be ready soon.
    error.code === 'idempotency-key-in-use'
  );
}

/** Delay before the next attempt in milliseconds: `Retry-After`, else exponential; with jitter in both cases. */
export function pauseBefore(tried: number, error: SvcError, random: () => number): number {
  const base = FIRST_PAUSE * 2 ** tried;
  if (error.retryAfter === undefined) return base * (0.5 + random());
  return error.retryAfter * 1000 + base * random();
}
