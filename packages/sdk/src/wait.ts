import { TimeoutError } from './errors.ts';
import type { Requester } from './request.ts';

/** Seconds that one request waits at the service for the end of a piece of work. */
const WAIT_SECONDS = 30;
/** The same where somebody watches how it goes. */
const WATCH_SECONDS = 1;

export interface WaitOptions<R = unknown> {
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole wait; without it there is no end but the work's. */
  timeout?: number | undefined;
  /** Called about once a second with the record as it is, until it has ended. */
  onProgress?: ((record: R) => void) | undefined;
}

/**
 * Asks for a record until it has ended, however it ended.
 * @throws TimeoutError `not-ended-in-time` after `timeout`; the work goes on.
 */
export async function untilEnded<R extends { status: string; id: string }>(
  { parts }: Requester,
  what: string,
  get: (call: { wait: number; signal: AbortSignal | undefined; timeout: number }) => Promise<R>,
  { signal, timeout, onProgress }: WaitOptions<R> = {},
): Promise<R> {
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : parts.now() + timeout;
  for (let wait = 0; ; ) {
    const record = await get({ wait, signal, timeout: (wait + 30) * 1000 });
    if (!/^(queued|running)$/i.test(record.status)) return record;
    onProgress?.(record);
    const left = end - parts.now();
    if (left <= 0) {
      const seconds = (timeout ?? 0) / 1000;
      const text = `The ${what} ${record.id} has not ended within ${seconds} s. It goes on.`;
      throw new TimeoutError(text, { code: 'not-ended-in-time' });
    }
    const longest = onProgress === undefined ? WAIT_SECONDS : WATCH_SECONDS;
    wait = Math.max(1, Math.min(longest, Math.ceil(left / 1000)));
  }
}
