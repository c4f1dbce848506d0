import type { ActiveClaim, WorkSlot } from './claims.ts';

type WaitingClaim = Pick<ActiveClaim, 'query' | 'slot'>;

interface Waiting {
  readonly claim: WaitingClaim;
  readonly end: (slot: WorkSlot | null) => void;
}

/** Queries of callers in this process that wait for a slot before they are stored. */
export class WaitingQueries {
  private readonly waiting = new Set<Waiting>();

  get size(): number {
    return this.waiting.size;
  }

  /** Waits for the claim's slot. Resolves with false after so many milliseconds or when the process stops. */
  wait(claim: WaitingClaim, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => entry.end(null), ms);
      const entry: Waiting = {
        claim,
        end: (slot) => {
          clearTimeout(timer);
          this.waiting.delete(entry);
          if (slot !== null) claim.slot = slot;
          resolve(slot !== null);
        },
      };
      this.waiting.add(entry);
    });
  }

  /**
   * Passes a slot on to the query that has waited longest of the submitter with the fewest running queries (QUERY-11). There
   * must be one.
   *
   * @param running the number of running queries by submitter
   */
  startNext(slot: WorkSlot, running: ReadonlyMap<string, number>): void {
    let [next, fewest] = [undefined as Waiting | undefined, Number.POSITIVE_INFINITY];
    const seen = new Set<string>();
    for (const entry of this.waiting) {
      const submitterId = entry.claim.query!.submitter_id;
      if (seen.has(submitterId)) continue;
      seen.add(submitterId);
      const count = running.get(submitterId) ?? 0;
      if (count < fewest) [next, fewest] = [entry, count];
    }
    next!.end(slot);
  }

  /** Lets every query go to the queue. */
  clear(): void {
    for (const { end } of this.waiting) end(null);
  }
}
