import { nextTimeOf } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { advanceJobs, lockOutdatedJobs } from '@svc/db/jobs';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import type { SchedulerDeps } from './deps.ts';

const BATCH = 1000;

/**
 * Recomputes next times that came from another release of the time zone database. Times that are already due stay due.
 */
export async function refreshTimes(
  { db, clock }: SchedulerDeps,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<number> {
  let refreshed = 0;
  for (;;) {
    signal.throwIfAborted();
    const count = await inTransaction(db, async (tx) => {
      if (!(await lockLeaderLease(tx, lease))) return 0;
      const now = clock();
      const jobs = await lockOutdatedJobs(tx, { now, limit: BATCH });
      await advanceJobs(
        tx,
        jobs.map(({ id, cron, timezone }) => ({ id, nextRunAt: nextTimeOf(cron, timezone, now) })),
      );
      return jobs.length;
    });
    refreshed += count;
    if (count < BATCH) return refreshed;
  }
}
