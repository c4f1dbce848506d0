import { type NewQuery, type StoredQuery, submitClaimed } from '@svc/db/queries';
import type { Context } from '../http/context.ts';

/** What was begun at once, by the answer under way for it. */
const begun = new WeakMap<Context['res'], { key: string; ended: StoredQuery | undefined }>();

/**
 * Stores a query that is waited for as claimed by the worker of this process, where that has a place, and begins it. Null
 * where it must go through the queue; so it does in a transaction, which is not committed yet.
 */
export async function beginAtOnce(
  ctx: Context<unknown, { wait: number }>,
  query: NewQuery,
): Promise<StoredQuery | null> {
  const { deps, db, res } = ctx;
  if (ctx.query.wait === 0 || query.waits || db !== deps.db.prisma) return null;
  const place = deps.desk.takePlace();
  if (place === null) return null;
  const claim = await submitClaimed(db, query, place.lease).catch((error: unknown) => {
    // Should it be stored all the same, its lease runs out and another worker takes it.
    place.giveBack();
    throw error;
  });
  // Not by its id: that is announced a moment before the record is here, and would be looked for in vain.
  const told = { key: `${claim.id} here`, ended: undefined as StoredQuery | undefined };
  begun.set(res, told);
  place.begin(claim, (record) => {
    told.ended ??= record;
    deps.waiter.wake(told.key);
  });
  return claim.query;
}

/** The record of the query begun at once for this answer, when it has ended. */
export const endedHere = ({ res }: Context): StoredQuery | undefined => begun.get(res)?.ended;

/** What the end of a query is waited for by: its id, or a key that wakes when the record of one begun at once is here. */
export const endKey = ({ res }: Context, id: string): string => begun.get(res)?.key ?? id;
