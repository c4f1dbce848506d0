import type { Transaction } from '../connection/index.ts';
import type { QueryClaim } from './claim-query.ts';
import type { StoredQuery } from './stored-query.ts';
import { isLong, type NewQuery, submitClaimed } from './submit-query.ts';

/** What decides which slot a query gets, and when. */
export interface SlotRequest {
  readonly isLong: boolean;
  readonly submitterId: string;
}

type ReserveSlot = (request: SlotRequest) => Promise<QuerySlot | null>;

/** A free slot of a worker, reserved for one query. The caller must call `start` or `release`. */
export interface QuerySlot {
  /** The lease with which the query is stored (see `submitClaimed`). */
  readonly lease: { readonly owner: string; readonly leaseMs: number };
  /** Whether the query had to wait for it; otherwise it starts at the time of its request. */
  readonly hasWaited: boolean;
  /**
   * Starts the stored query. The promise resolves when the worker is done with it: with the query's record if the worker
   * finished it in a single statement, otherwise (a transaction finished it, or the lease was lost) with undefined. It
   * never rejects.
   */
  start(claim: QueryClaim): Promise<StoredQuery | undefined>;
  release(): void;
}

/** A query that a worker in this process has started. */
export interface LocalQuery {
  readonly query: StoredQuery;
  /** See `QuerySlot.start`. */
  readonly finished: Promise<StoredQuery | undefined>;
}

/**
 * Hands new queries directly to a worker in the same process, which saves short queries the way through the queue.
 * Without a worker or a free slot, a query is queued as usual.
 */
export class LocalDispatcher {
  private reserveSlot: ReserveSlot | undefined;

  /** @param reserveSlot returns a slot, or null if none becomes free soon or queued queries come first */
  register(reserveSlot: ReserveSlot): void {
    this.reserveSlot = reserveSlot;
  }

  unregister(): void {
    this.reserveSlot = undefined;
  }

  /** Stores the query as claimed by the worker and starts it. Null if it must be queued; nothing is stored then. */
  async dispatch(client: Transaction, query: NewQuery, clock: () => Date): Promise<LocalQuery | null> {
    const slot = await this.reserveSlot?.({ isLong: isLong(query), submitterId: query.submitterId });
    if (slot == null) return null;
    const lease = { ...slot.lease, now: slot.hasWaited ? clock() : query.now };
    const claim = await submitClaimed(client, query, lease).catch((error: unknown) => {
      // If it was stored nevertheless, its lease expires and another worker takes it.
      slot.release();
      throw error;
    });
    return { query: claim.query, finished: slot.start(claim) };
  }
}
