import { ConnectionError, type SvcError, TimeoutError, TooManyRequests, Unavailable } from './errors.ts';

const FIRST_PAUSE = 250;
/** Longest pause that the service may ask for, in seconds; beyond it the error is the better answer. */
const LONGEST_ASKED = 60;

/** Whether the failure is one that a second try may mend. */
export function mayRepeat(error: SvcError): boolean {
  if (error.retryAfter !== undefined && error.retryAfter > LONGEST_ASKED) return false;
  if (error instanceof ConnectionError) return error.code !== 'not-the-service';
  return (
    error instanceof TimeoutError ||
    error instanceof TooManyRequests ||
    error instanceof Unavailable ||
    // The first request with this key is still at work: its answer is ready soon.
    error.code === 'idempotency-key-in-use'
  );
}

/** Milliseconds before the next try: what the service asks for, else doubling; with jitter on top in both cases. */
export function pauseBefore(tried: number, error: SvcError, random: () => number): number {
  const base = FIRST_PAUSE * 2 ** tried;
  if (error.retryAfter === undefined) return base * (0.5 + random());
  return error.retryAfter * 1000 + base * random();
}
