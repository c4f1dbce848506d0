import { queryLimit } from '@svc/core/quotas';
import { inTransaction } from '@svc/db/connection';
import { assignSlots, environmentsWaiting, findQuotas } from '@svc/db/quotas';
import type { WorkerDeps } from '../work/deps.ts';
import type { Loop } from '../work/loop.ts';

/**
 * Maximum delay until a slot is reassigned whose query didn't release it, for example because it was cancelled before
 * it started.
 */
const POLL_MS = 1000;

/**
 * Assigns the free slots of an environment's query quota to the queries that have waited longest. Returns their number.
 */
export async function assignFreeSlots({ db, settings }: WorkerDeps, environmentId: string): Promise<number> {
  const limit = queryLimit(await findQuotas(db.prisma, environmentId), settings);
  return inTransaction(db, (tx) => assignSlots(tx, { environmentId, limit }));
}

/** Assigns slots wherever queries wait. Any worker may run this: they do it one after the other. */
export function slotsLoop(deps: WorkerDeps): Loop {
  return {
    name: 'assign query slots',
    everyMs: POLL_MS,
    runOnce: async (signal) => {
      for (const { id, ...own } of await environmentsWaiting(deps.db.prisma)) {
        if (signal.aborted) break;
        const limit = queryLimit(own, deps.settings);
        await inTransaction(deps.db, (tx) => assignSlots(tx, { environmentId: id, limit }));
      }
      // Not logged: this happens after every query with a quota.
      return {};
    },
  };
}
