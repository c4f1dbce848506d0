/** One signal out of the caller's and a time limit; `expired` tells which of them ended the try. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly expired: boolean;
  /** Ends the time limit; the caller's signal still reaches a download that goes on. */
  stop(): void;
  /** Ends both. */
  release(): void;
}

export function deadline(ms: number | undefined, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let expired = false;
  const pass = () => controller.abort(outer?.reason);
  const timer =
    ms === undefined || !Number.isFinite(ms)
      ? undefined
      : setTimeout(() => {
          expired = true;
          controller.abort(new Error('timeout'));
        }, ms);
  if (outer?.aborted) pass();
  else outer?.addEventListener('abort', pass, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    stop: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', pass);
    },
  };
}
