import { type DueTimes, parseCron, resolveDueTimes } from '@svc/core/jobs';
import { inTransaction } from '@svc/db/connection';
import { type DueSchedules, type EnqueuedTime, enqueueDueJobs, lockDueSchedules } from '@svc/db/jobs';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import type { SchedulerDeps } from './deps.ts';
import { inParallel } from './in-parallel.ts';

const BATCH = 1250;

/**
 * Enqueues due times. Each due schedule advances to its next time. If its runs have a principal, a run starts at once
 * in a free project; otherwise the start waits or merges into the waiting one. Each batch is one transaction, protected
 * by the leader's fence, so a former leader that was paused enqueues nothing.
 */
export async function enqueue(
  deps: SchedulerDeps,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<{ enqueued: number; started: number }> {
  const total = { enqueued: 0, started: 0 };
  const batch = async (limit: number) => {
    const { enqueued, started } = await enqueueBatch(deps, lease, limit);
    total.enqueued += enqueued;
    total.started += started;
    return enqueued;
  };
  await inParallel(batch, BATCH, signal);
  return total;
}

async function enqueueBatch({ db, clock, newId, step }: SchedulerDeps, lease: LeaderLease, limit: number) {
  const counts = await inTransaction(db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return { enqueued: 0, started: 0 };
    const now = clock();
    const due = await lockDueSchedules(tx, { now, limit });
    const times = toEnqueuedTimes(due, now, newId);
    const { started } = await enqueueDueJobs(tx, { times, now });
    if (times.length > 0) await step?.('time.enqueueing');
    return { enqueued: times.length, started };
  });
  if (counts.enqueued > 0) await step?.('time.enqueued');
  return counts;
}

/** Longest due first. Many schedules share a cron text, so each distinct text is parsed once. */
function toEnqueuedTimes(due: readonly DueSchedules[], now: Date, newId: () => string): EnqueuedTime[] {
  return due
    .flatMap((time) => {
      const { next, scheduledFor, missed } = resolveDue(time, now);
      return time.ids.map((jobId) => ({ due: time.next_run_at, jobId, nextRunAt: next, scheduledFor, missed }));
    })
    .sort((a, b) => a.due.getTime() - b.due.getTime() || (a.jobId < b.jobId ? -1 : 1))
    .map((time) => ({ ...time, id: newId(), eventId: newId() }));
}

function resolveDue({ cron: text, timezone, next_run_at }: DueSchedules, now: Date): DueTimes {
  const read = parseCron(text);
  if (!read.ok) throw new Error(`a stored cron expression can't be parsed: ${read.problem.message}`);
  return resolveDueTimes(read.cron, timezone, next_run_at, now);
}
