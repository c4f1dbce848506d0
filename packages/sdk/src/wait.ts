import { TimeoutError } from './errors.ts';
import type { Requester } from './request.ts';

/** Seconds that one request waits at the service for the work to finish. */
const WAIT_SECONDS = 30;
/** The same while progress is reported. */
const WATCH_SECONDS = 1;

export interface WaitOptions<R = unknown> {
  signal?: AbortSignal | undefined;
  /** Timeout of the whole wait in milliseconds (default: none). */
  timeout?: number | undefined;
  /** Called about once a second with the current record, until it has finished. */
  onProgress?: ((record: R) => void) | undefined;
}

/**
 * Polls a record until it has finished, whatever its status.
 * @throws TimeoutError `not-ended-in-time` after `timeout`; the work continues.
 */
export async function waitUntilFinished<R extends { status: string; id: string }>(
  { parts }: Requester,
  what: string,
  get: (call: { wait: number; signal: AbortSignal | undefined; timeout: number }) => Promise<R>,
  { signal, timeout, onProgress }: WaitOptions<R> = {},
): Promise<R> {
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : parts.now() + timeout;
  for (let wait = 0; ; ) {
    const record = await get({ wait, signal, timeout: (wait + 30) * 1000 });
    if (!/^(queued|running)$/i.test(record.status)) return record;
    onProgress?.(record);
    const left = deadline - parts.now();
    if (left <= 0) {
      const seconds = (timeout ?? 0) / 1000;
      const text = `The ${what} ${record.id} has not finished within ${seconds} s. It continues on the service.`;
      throw new TimeoutError(text, { code: 'not-ended-in-time' });
    }
    const longest = onProgress === undefined ? WAIT_SECONDS : WATCH_SECONDS;
    wait = Math.max(1, Math.min(longest, Math.ceil(left / 1000)));
  }
}
