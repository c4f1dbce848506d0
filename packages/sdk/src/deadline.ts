/** Combines the caller's signal with a timeout; `expired` reports whether the timeout fired. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly expired: boolean;
  /** Clears the timeout; the caller's signal still aborts a download in progress. */
  stop(): void;
  /** Clears both. */
  release(): void;
  /** Aborts a request that nobody reads anymore. */
  abort(): void;
}

/** Rejects with the reason of a signal as soon as it is aborted, even if the work continues for others. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
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
    abort: () => controller.abort(),
  };
}
