import { queryLimit } from '@svc/core/quotas';
import { inTransaction } from '@svc/db/connection';
import { environmentsWaiting, findQuotas, givePlaces } from '@svc/db/quotas';
import type { WorkerDeps } from '../work/deps.ts';
import type { Loop } from '../work/loop.ts';

/** How late a place is given whose holder ended without doing so, such as a query that was cancelled before it began. */
const LOOK_MS = 1000;

/** Gives the free places of an environment's quota of queries to those that wait longest. Returns how many. */
export async function placesOf({ db, settings }: WorkerDeps, environmentId: string): Promise<number> {
  const limit = queryLimit(await findQuotas(db.prisma, environmentId), settings);
  return inTransaction(db, (tx) => givePlaces(tx, { environmentId, limit }));
}

/** Gives places wherever queries wait: any worker may, they follow one another. */
export function placesLoop(deps: WorkerDeps): Loop {
  return {
    name: 'give places to queries',
    everyMs: LOOK_MS,
    runOnce: async (signal) => {
      for (const { id, ...own } of await environmentsWaiting(deps.db.prisma)) {
        if (signal.aborted) break;
        const limit = queryLimit(own, deps.settings);
        await inTransaction(deps.db, (tx) => givePlaces(tx, { environmentId: id, limit }));
      }
      // No news: it follows every end of a query there.
      return {};
    },
  };
}
