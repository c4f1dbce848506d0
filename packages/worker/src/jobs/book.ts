import { parseCron, settleDue } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { advanceJobs, type DueJob, takeDueJobs, waitToStart } from '@svc/db/jobs';
import { type RoleLease, stillHolds } from '@svc/db/leases';
import type { WorkerDeps } from '../work/deps.ts';

const BATCH = 1000;

/**
 * Books due times: each due schedule moves on to its next time, and, when its runs have a principal, its start waits or
 * is merged into the one that does. One transaction a batch, held by the role's fence: a paused old holder books nothing.
 */
export async function book(deps: WorkerDeps, role: RoleLease, signal: AbortSignal): Promise<number> {
  let booked = 0;
  for (;;) {
    signal.throwIfAborted();
    const count = await bookBatch(deps, role);
    booked += count;
    if (count < BATCH) return booked;
  }
}

function bookBatch({ db, clock, newId }: WorkerDeps, role: RoleLease): Promise<number> {
  return inTransaction(db, async (tx) => {
    if (!(await stillHolds(tx, role))) return 0;
    const now = clock();
    const due = await takeDueJobs(tx, { now, limit: BATCH });
    const settled = due.map((job) => ({ job, ...settle(job, now) }));
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
    return due.length;
  });
}

function settle({ cron: text, timezone, next_run_at }: DueJob, now: Date) {
  const read = parseCron(text);
  if (!read.ok) throw new Error(`a stored cron cannot be read: ${read.problem.message}`);
  return settleDue(read.cron, timezone, next_run_at, now);
}
