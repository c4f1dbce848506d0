import { Problem } from '@svc/core/errors';

/** How long a client is waited for that sends a body. Uploads may take hours, as long as they move. */
export interface Patience {
  /** Milliseconds without a byte. */
  readonly idleMs: number;
  /** Milliseconds of waiting before the rate counts. */
  readonly graceMs: number;
  /** Least mean rate over the time that was waited. */
  readonly bytesPerSecond: number;
}

export const PATIENCE: Patience = { idleMs: 30_000, graceMs: 30_000, bytesPerSecond: 1024 };

/** With an upload, which only who may make it is asked for: what it comes from, such as a pipe, may pause. */
export const UPLOAD_PATIENCE: Patience = { idleMs: 600_000, graceMs: 600_000, bytesPerSecond: 1 };

/**
 * The pieces as they come. Only the time that is spent waiting for the client counts, not what is done with the pieces
 * between. Stopping early leaves the source as it is.
 * @throws Problem `body-too-slow`
 */
export async function* patiently(pieces: AsyncIterable<Buffer>, patience = PATIENCE): AsyncGenerator<Buffer, void> {
  const source = pieces[Symbol.asyncIterator]();
  let waitedMs = 0;
  let bytes = 0;
  try {
    for (;;) {
      const began = performance.now();
      const next = await within(source.next(), patience.idleMs);
      if (next.done) return;
      waitedMs += performance.now() - began;
      bytes += next.value.length;
      if (waitedMs > patience.graceMs && bytes < (patience.bytesPerSecond * waitedMs) / 1000) throw tooSlow();
      yield next.value;
    }
  } finally {
    // Lets go of the source, so that what is left of the body can be read away; where it is silent, when it speaks.
    source.return?.()?.catch(() => {});
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = (): Problem =>
  new Problem('body-too-slow', 'The body comes too slowly, or has stopped. Nothing was changed; send it again.');
