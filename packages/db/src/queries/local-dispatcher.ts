import type { QueryClaim } from './claim-query.ts';
import type { StoredQuery } from './stored-query.ts';

/** A free worker slot reserved for one query. The caller must call `start` or `release`. */
export interface QueryPlace {
  /** The lease with which the query is stored (see `submitClaimed`). */
  readonly lease: { readonly owner: string; readonly leaseMs: number };
  /**
   * Starts the stored query. If the worker finishes it in a single statement, it calls `onEnd` with the query's record
   * as soon as that commits. It always calls `onEnd` without a record when it is done with the query, even if a
   * transaction finished the query or the lease was lost.
   */
  start(claim: QueryClaim, onEnd: (query?: StoredQuery) => void): void;
  release(): void;
}

/**
 * Hands new queries directly to a worker in the same process, which saves short queries the way through the queue.
 * Without a worker or a free slot, a query is queued as usual.
 */
export class LocalDispatcher {
  private place: (() => QueryPlace | null) | undefined;

  /** @param place returns a free slot, or null if no slot is free or queued queries come first */
  register(place: () => QueryPlace | null): void {
    this.place = place;
  }

  leave(): void {
    this.place = undefined;
  }

  takePlace(): QueryPlace | null {
    return this.place?.() ?? null;
  }
}
