import { type DueTimes, parseCron, settleDue } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { advanceJobs, type DueJob, takeDueJobs, waitToStart } from '@svc/db/jobs';
import { type RoleLease, stillHolds } from '@svc/db/leases';
import type { SchedulerDeps } from './deps.ts';
import { inLanes } from './lanes.ts';

const BATCH = 1000;

/**
 * Books due times: each due schedule moves on to its next time, and, when its runs have a principal, its start waits or
 * is merged into the one that does. One transaction a batch, held by the role's fence: a paused old holder books nothing.
 */
export async function book(deps: SchedulerDeps, role: RoleLease, signal: AbortSignal): Promise<number> {
  let booked = 0;
  const batch = async () => {
    const count = await bookBatch(deps, role);
    booked += count;
    return count;
  };
  await inLanes(batch, BATCH, signal);
  return booked;
}

async function bookBatch({ db, clock, newId, step }: SchedulerDeps, role: RoleLease): Promise<number> {
  const booked = await inTransaction(db, async (tx) => {
    if (!(await stillHolds(tx, role))) return 0;
    const now = clock();
    const due = await takeDueJobs(tx, { now, limit: BATCH });
    const known = new Map<string, DueTimes>();
    const settled = due.map((job) => ({ job, ...settleOnce(known, job, now) }));
    await advanceJobs(
      tx,
      settled.map(({ job, next }) => ({ id: job.id, nextRunAt: next })),
    );
    const starts = settled
      .filter(({ job }) => job.has_principal)
      .map(({ job, scheduledFor, missed }) => ({
        id: newId(),
        jobId: job.id,
        environmentId: job.environment_id,
        repositoryId: job.repository_id,
        trigger: 'schedule' as const,
        requesterId: null,
        scheduledFor,
        missed,
        now,
      }));
    await waitToStart(tx, starts);
    if (due.length > 0) await step?.('time.booking');
    return due.length;
  });
  if (booked > 0) await step?.('time.booked');
  return booked;
}

/** Many schedules are due by the same cron: it is read once a batch. */
function settleOnce(known: Map<string, DueTimes>, job: DueJob, now: Date): DueTimes {
  const key = `${job.cron}|${job.timezone}|${job.next_run_at.getTime()}`;
  const found = known.get(key) ?? settle(job, now);
  known.set(key, found);
  return found;
}

function settle({ cron: text, timezone, next_run_at }: DueJob, now: Date): DueTimes {
  const read = parseCron(text);
  if (!read.ok) throw new Error(`a stored cron cannot be read: ${read.problem.message}`);
  return settleDue(read.cron, timezone, next_run_at, now);
}
