import { nextTimeOf } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { advanceJobs, lockLaterJobs, lockOutdatedJobs } from '@svc/db/jobs';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import type { SchedulerDeps } from './deps.ts';

const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** By how much the clock must have been set back for times to be computed again: less doesn't start a job twice. */
export const SET_BACK_MS = 24 * 3_600_000;

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

/**
 * Recomputes next times that are too late, because they were computed before the clock was set back: their jobs would not start for
 * as long as the clock was wrong. Returns their number.
 */
export async function recomputeLateTimes(
  { db, clock }: SchedulerDeps,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<number> {
  let recomputed = 0;
  for (let after = FIRST; ; ) {
    signal.throwIfAborted();
    const jobs = await inTransaction(db, async (tx) => {
      if (!(await lockLeaderLease(tx, lease))) return [];
      const now = clock();
      const later = new Date(now.getTime() + SET_BACK_MS);
      const locked = await lockLaterJobs(tx, { later, after, limit: BATCH });
      const late = locked
        .map(({ id, cron, timezone, next_run_at }) => ({ id, next_run_at, nextRunAt: nextTimeOf(cron, timezone, now) }))
        .filter((job) => job.nextRunAt !== null && job.next_run_at.getTime() - job.nextRunAt.getTime() > SET_BACK_MS);
      await advanceJobs(tx, late);
      recomputed += late.length;
      return locked;
    });
    if (jobs.length < BATCH) return recomputed;
    after = jobs.at(-1)!.id;
  }
}
