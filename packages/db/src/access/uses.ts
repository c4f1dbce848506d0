/** Stores when things are used, at most once in each period for each of them. Callers don't wait for it. */
export class Uses<T> {
  private readonly store: (use: T) => Promise<boolean>;
  private readonly periodMs: number;
  private readonly onError: (error: unknown) => void;
  /** The ids whose use in this period is recorded. */
  private readonly recorded = new Set<string>();
  private period = -1;
  private readonly pending = new Set<Promise<void>>();

  /** @param store returns false if it has skipped the use; the next one is then stored instead, as after an error */
  constructor(store: (use: T) => Promise<boolean>, periodMs: number, onError: (error: unknown) => void) {
    this.store = store;
    this.periodMs = periodMs;
    this.onError = onError;
  }

  /** @param describe called if this is the first use of the period */
  note(id: string, at: Date, describe: () => T): void {
    const period = Math.floor(at.getTime() / this.periodMs);
    if (period !== this.period) {
      this.recorded.clear();
      this.period = period;
    }
    if (this.recorded.has(id)) return;
    this.recorded.add(id);
    const stored = this.store(describe())
      .catch((error: unknown) => {
        this.onError(error);
        return false;
      })
      .then((isStored) => {
        if (!isStored) this.recorded.delete(id);
      })
      .finally(() => this.pending.delete(stored));
    this.pending.add(stored);
  }

  /** Resolves once the uses so far are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }
}
