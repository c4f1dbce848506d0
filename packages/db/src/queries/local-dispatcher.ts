import type { NewQuery } from './new-query.ts';
import type { StoredQuery } from './stored-query.ts';

/** Starts a query, which the worker stores when it ends, or earlier if it takes longer. */
type StartQuery = (query: NewQuery) => StartedQuery;

export interface StartedQuery {
  /** Its record as soon as it is stored. Rejects if it can't be stored. */
  readonly stored: Promise<StoredQuery>;
  /**
   * Resolves when the worker is done with it: with the query's record if the worker finished it in a single statement,
   * otherwise (a transaction finished it, it went to the queue, or the lease was lost) with undefined. It never rejects.
   */
  readonly finished: Promise<StoredQuery | undefined>;
}

/** A query that a worker in this process has started, and stored. */
export interface LocalQuery {
  readonly query: StoredQuery;
  /** See `StartedQuery`. */
  readonly finished: Promise<StoredQuery | undefined>;
}

/**
 * Hands new queries directly to a worker in the same process, which saves short queries the way through the queue. Without
 * a worker, a query is queued.
 */
export class LocalDispatcher {
  private start: StartQuery | undefined;

  register(start: StartQuery): void {
    this.start = start;
  }

  unregister(): void {
    this.start = undefined;
  }

  /** Starts the query and returns it as soon as it is stored. Null if it must be queued. */
  async dispatch(query: NewQuery): Promise<LocalQuery | null> {
    if (this.start === undefined) return null;
    const { stored, finished } = this.start(query);
    return { query: await stored, finished };
  }
}
