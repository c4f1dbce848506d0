import { inTransaction } from '@svc/db/connection';
import { addRequestCounts, removeRequestCounts } from '@svc/db/quotas';
import type { ApiDeps } from '../deps.ts';
import { MINUTE_MS } from './limiter.ts';

/** How often a server reports its counts, in milliseconds; until then, other servers don't know about them. */
const PERIOD_MS = 1000;

/** Counts the requests of tokens together with the other servers, in the background. Does nothing if they have no limit. */
export function shareRequestCounts(deps: Pick<ApiDeps, 'db' | 'limiter' | 'settings' | 'clock' | 'log'>): {
  readonly stop: () => Promise<void>;
} {
  const { db, limiter, clock, log } = deps;
  if (deps.settings.requestsPerMinute === 0) return { stop: async () => {} };
  let underWay = Promise.resolve();
  let cleaned = 0;
  const tick = async () => {
    try {
      await limiter.reconcile((minute, counts) => inTransaction(db, (tx) => addRequestCounts(tx, { minute, counts })));
      const minute = Math.floor(clock().getTime() / MINUTE_MS);
      // The clocks of servers may differ by a minute.
      if (minute !== cleaned) await removeRequestCounts(db.prisma, minute - 1);
      cleaned = minute;
    } catch (error) {
      log.warn({ err: error }, "the counts of requests couldn't be shared with the other servers");
    }
  };
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    underWay = tick().finally(() => {
      isBusy = false;
    });
  }, PERIOD_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
