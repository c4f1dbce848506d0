import { TimeoutError } from './errors.ts';
import type { Requester } from './request.ts';

/** Seconds that one request waits at the service for the end of a piece of work. */
const WAIT_SECONDS = 30;

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole wait; without it there is no end but the work's. */
  timeout?: number | undefined;
}

/**
 * Asks for a record until it has ended, however it ended.
 * @throws TimeoutError `not-ended-in-time` after `timeout`; the work goes on.
 */
export async function untilEnded<R extends { status: string; id: string }>(
  { parts }: Requester,
  what: string,
  get: (call: { wait: number; signal: AbortSignal | undefined; timeout: number }) => Promise<R>,
  { signal, timeout }: WaitOptions = {},
): Promise<R> {
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : parts.now() + timeout;
  for (let wait = 0; ; ) {
    const record = await get({ wait, signal, timeout: (wait + 30) * 1000 });
    if (!/^(queued|running)$/i.test(record.status)) return record;
    const left = end - parts.now();
    if (left <= 0) {
      const seconds = (timeout ?? 0) / 1000;
      const text = `The ${what} ${record.id} has not ended within ${seconds} s. It goes on.`;
      throw new TimeoutError(text, { code: 'not-ended-in-time' });
    }
    wait = Math.max(1, Math.min(WAIT_SECONDS, Math.ceil(left / 1000)));
  }
}
