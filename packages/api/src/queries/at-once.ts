import { type NewQuery, type StoredQuery, submitClaimed } from '@svc/db/queries';
import type { Context } from '../http/context.ts';

/** Queries started immediately, by the response that waits for them. */
const localQueries = new WeakMap<Context['res'], { key: string; record: StoredQuery | undefined }>();

/**
 * Stores a query that the request waits for as already claimed by the worker in this process, if that worker has a free
 * slot, and starts it. Returns null if the query must go through the queue, as it must inside a transaction that hasn't
 * been committed yet.
 */
export async function dispatchLocally(
  ctx: Context<unknown, { wait: number }>,
  query: NewQuery,
): Promise<StoredQuery | null> {
  const { deps, db, res } = ctx;
  if (ctx.query.wait === 0 || query.waits || db !== deps.db.prisma) return null;
  const place = deps.dispatcher.takePlace();
  if (place === null) return null;
  const claim = await submitClaimed(db, query, place.lease).catch((error: unknown) => {
    // If it was stored nevertheless, its lease expires and another worker takes it.
    place.release();
    throw error;
  });
  // Not the query's id: the id is announced a moment before the record is here, so waking on it would find nothing.
  const local = { key: `${claim.id} here`, record: undefined as StoredQuery | undefined };
  localQueries.set(res, local);
  place.start(claim, (finished) => {
    local.record ??= finished;
    deps.waiter.wake(local.key);
  });
  return claim.query;
}

/** The finished record of the query that was started immediately for this response. */
export const finishedHere = ({ res }: Context): StoredQuery | undefined => localQueries.get(res)?.record;

/**
 * The key to wait on for a query's completion: its id, or the key that wakes when the record of an immediately started
 * query is here.
 */
export const endKey = ({ res }: Context, id: string): string => localQueries.get(res)?.key ?? id;
