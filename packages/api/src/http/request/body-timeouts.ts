import { ApiError } from '@svc/core/errors';

/** How slowly a client may send a body. Uploads may take hours as long as data arrives. */
export interface BodyTimeouts {
  /** Maximum milliseconds without a byte. */
  readonly idleMs: number;
  /** Milliseconds of waiting before the rate is checked. */
  readonly graceMs: number;
  /** Minimum mean rate over the time spent waiting. */
  readonly bytesPerSecond: number;
}

export const BODY_TIMEOUTS: BodyTimeouts = { idleMs: 30_000, graceMs: 30_000, bytesPerSecond: 1024 };

/** For uploads, which are accepted only from authorized callers: their source, such as a pipe, may pause. */
export const UPLOAD_TIMEOUTS: BodyTimeouts = { idleMs: 600_000, graceMs: 600_000, bytesPerSecond: 1 };

/**
 * Yields the pieces as they arrive. Only time spent waiting for the client counts, not the processing between pieces.
 * Stopping early leaves the source open.
 * @throws ApiError `body-too-slow`
 */
export async function* withTimeouts(
  chunks: AsyncIterable<Buffer>,
  timeouts = BODY_TIMEOUTS,
): AsyncGenerator<Buffer, void> {
  const source = chunks[Symbol.asyncIterator]();
  let waitedMs = 0;
  let bytes = 0;
  try {
    for (;;) {
      const began = performance.now();
      const next = await withTimeout(source.next(), timeouts.idleMs);
      if (next.done) return;
      waitedMs += performance.now() - began;
      bytes += next.value.length;
      if (waitedMs > timeouts.graceMs && bytes < (timeouts.bytesPerSecond * waitedMs) / 1000) throw tooSlowError();
      yield next.value;
    }
  } finally {
    // Releases the source, so that the rest of the body can be drained. If the source is silent, that happens when it
    // next yields.
    source.return?.()?.catch(() => {});
  }
}

async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlowError()), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooSlowError = (): ApiError =>
  new ApiError('body-too-slow', 'The body arrived too slowly, or stopped. Nothing was changed. Send it again.');
