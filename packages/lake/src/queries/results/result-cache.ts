import type { ChildResult } from '../sandbox/child-protocol.ts';

/** A result whose cells are complete, so that no file is needed. */
export type InlineResult = ChildResult & { readonly bytes: null; readonly cells: NonNullable<ChildResult['cells']> };

export const isInline = (result: ChildResult): result is InlineResult => result.bytes === null && result.cells !== null;

/** A value in memory takes about this many bytes for each character of its JSON form. */
const BYTES_PER_CHARACTER = 3;

interface Entry {
  readonly result: InlineResult;
  readonly bytes: number;
}

/**
 * Caches results in order of use, and lets identical queries that run at the same time share one result. The key decides
 * who shares: it must contain everything that the result depends on (see `resultKey`).
 */
export class ResultCache {
  private readonly entries = new Map<string, Entry>();
  /** Resolves with null if the result can't be shared. */
  private readonly running = new Map<string, Promise<InlineResult | null>>();
  private readonly maxBytes: number;
  private bytes = 0;

  /** @param maxBytes approximate memory of the cached results; 0 turns the cache off */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /**
   * The cached result, or that of the same query if it is running, or else what `run` returns.
   *
   * @param signal ends the wait for another query
   */
  async get(
    key: string,
    signal: AbortSignal | undefined,
    run: () => Promise<ChildResult>,
  ): Promise<{ readonly result: ChildResult; readonly isCached: boolean }> {
    if (this.maxBytes === 0) return { result: await run(), isCached: false };
    const shared = this.use(key) ?? (await unlessAborted(this.running.get(key), signal));
    if (shared !== null) return { result: shared, isCached: true };
    if (this.running.has(key)) return { result: await run(), isCached: false };
    const result = run();
    const inline = result.then(
      (r) => (isInline(r) ? r : null),
      () => null,
    );
    this.running.set(key, inline);
    try {
      const found = await inline;
      if (found !== null) this.add(key, found);
      return { result: await result, isCached: false };
    } finally {
      this.running.delete(key);
    }
  }

  private use(key: string): InlineResult | null {
    const entry = this.entries.get(key);
    if (entry === undefined) return null;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.result;
  }

  private add(key: string, result: InlineResult): void {
    const bytes = BYTES_PER_CHARACTER * (key.length + JSON.stringify([result.columns, result.cells]).length);
    if (bytes > this.maxBytes) return;
    this.entries.set(key, { result, bytes });
    this.bytes += bytes;
    for (const [oldest, entry] of this.entries) {
      if (this.bytes <= this.maxBytes) break;
      this.entries.delete(oldest);
      this.bytes -= entry.bytes;
    }
  }
}

/** Null as soon as the signal aborts: the caller then meets the abort itself. */
function unlessAborted<T>(promise: Promise<T | null> | undefined, signal: AbortSignal | undefined): Promise<T | null> {
  if (promise === undefined || signal?.aborted) return Promise.resolve(null);
  if (signal === undefined) return promise;
  return new Promise((resolve) => {
    const stop = () => resolve(null);
    signal.addEventListener('abort', stop, { once: true });
    void promise.then((value) => {
      signal.removeEventListener('abort', stop);
      resolve(value);
    });
  });
}
