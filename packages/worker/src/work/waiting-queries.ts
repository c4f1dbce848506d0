interface Waiting<S> {
  readonly submitterId: string;
  readonly end: (slot: S | null) => void;
}

/** Queries of callers in this process that wait for a slot before they are stored. */
export class WaitingQueries<S> {
  private readonly waiting = new Set<Waiting<S>>();

  get size(): number {
    return this.waiting.size;
  }

  /** Resolves with a slot, or with null after so many milliseconds or when the process stops. */
  wait(submitterId: string, ms: number): Promise<S | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => entry.end(null), ms);
      const entry: Waiting<S> = {
        submitterId,
        end: (slot) => {
          clearTimeout(timer);
          this.waiting.delete(entry);
          resolve(slot);
        },
      };
      this.waiting.add(entry);
    });
  }

  /**
   * Passes a slot on to the query that has waited longest of the submitter with the fewest running queries (QUERY-11). There
   * must be one.
   *
   * @param slotFor the slot for a query of this submitter
   */
  startNext(running: (submitterId: string) => number, slotFor: (submitterId: string) => S): void {
    let [next, fewest] = [undefined as Waiting<S> | undefined, Number.POSITIVE_INFINITY];
    const seen = new Set<string>();
    for (const entry of this.waiting) {
      if (seen.has(entry.submitterId)) continue;
      seen.add(entry.submitterId);
      const count = running(entry.submitterId);
      if (count < fewest) [next, fewest] = [entry, count];
    }
    next!.end(slotFor(next!.submitterId));
  }

  /** Lets every query go to the queue. */
  clear(): void {
    for (const { end } of this.waiting) end(null);
  }
}
