import type { QueryClaim } from './claim-query.ts';
import type { StoredQuery } from './stored-query.ts';

/** A free place of a worker for one query, kept for whoever asked: `begin` or `giveBack` comes next. */
export interface QueryPlace {
  /** Whose claim the query is stored with (`submitClaimed`). */
  readonly lease: { readonly owner: string; readonly leaseMs: number };
  /**
   * Begins what was stored. `ended` is called with its record as soon as that is committed by a statement of its own, and
   * in any case when the worker has done with it, be it that a transaction ended it or that the lease was lost.
   */
  begin(claim: QueryClaim, ended: (query?: StoredQuery) => void): void;
  giveBack(): void;
}

/**
 * Where a worker in the same process takes queries as they are stored, which spares a short one the way through the queue
 * and back. With nobody there, or no place free, a query waits for a worker like any other.
 */
export class QueryDesk {
  private place: (() => QueryPlace | null) | undefined;

  /** @param place gives a free place, or null where others wait for one */
  attend(place: () => QueryPlace | null): void {
    this.place = place;
  }

  leave(): void {
    this.place = undefined;
  }

  takePlace(): QueryPlace | null {
    return this.place?.() ?? null;
  }
}
