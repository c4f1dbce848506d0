import { nextTimeOf, zoneDatabaseVersion } from '@svc/core/jobs';
import { jsonText, type Transaction } from '../connection/index.ts';
import { announceSchedules } from '../leases/index.ts';

/** Schedules with the same cron text and time zone that are due at the same time. */
export interface DueSchedules {
  cron: string;
  timezone: string;
  next_run_at: Date;
  ids: string[];
}

/** Locks up to `limit` due schedules, longest due first. */
export async function lockDueSchedules(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<DueSchedules[]> {
  return client.$queryRaw<DueSchedules[]>`
    WITH due AS (
      SELECT id, cron, timezone, next_run_at FROM jobs
      WHERE removed_at IS NULL AND NOT paused AND next_run_at <= ${now}
      ORDER BY next_run_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT cron, timezone, next_run_at, array_agg(id::text ORDER BY id) AS ids FROM due
    GROUP BY cron, timezone, next_run_at ORDER BY next_run_at`;
}

/** When the scheduler has work next. */
export interface SchedulerState {
  /** The earliest time of any schedule, possibly in the past; null if no schedule is active. */
  dueAt: Date | null;
  waiting: boolean;
}

/** Reports when the scheduler has work next. Cheap enough to poll. */
export async function readSchedulerState(client: Transaction): Promise<SchedulerState> {
  const rows = await client.$queryRaw<{ due_at: Date | null; waiting: boolean }[]>`/* prepared scheduler-state */
    SELECT (SELECT min(next_run_at) FROM jobs WHERE removed_at IS NULL AND NOT paused) AS due_at,
           EXISTS (SELECT 1 FROM job_starts WHERE ended_at IS NULL) AS waiting`;
  return { dueAt: rows[0]!.due_at, waiting: rows[0]!.waiting };
}

/** Moves each schedule to its next time (null: it never fires again). */
export async function advanceJobs(
  client: Transaction,
  next: readonly { id: string; nextRunAt: Date | null }[],
): Promise<void> {
  if (next.length === 0) return;
  const rows = next.map(({ id, nextRunAt }) => ({ id, next: nextRunAt?.toISOString() ?? null }));
  await client.$executeRaw`
    UPDATE jobs j SET next_run_at = x.next, zone_database = ${zoneDatabaseVersion()}
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS x(id uuid, next timestamptz) WHERE j.id = x.id`;
}

/**
 * Moves due schedules of the deployments that an account is bound to past `now`: times at which the account wasn't bound or
 * couldn't be used aren't caught up, even if no worker has read them yet (JOBS-2).
 */
export async function skipDueTimes(
  client: Transaction,
  { runAs, deploymentId, now }: { runAs: string; deploymentId?: string; now: Date },
): Promise<void> {
  // The scheduler skips these times as well, so there is no need to wait for jobs that it has locked. Waiting could be a
  // deadlock: runs that it inserts lock their principal.
  const jobs = await client.$queryRaw<{ id: string; cron: string; timezone: string }[]>`
    SELECT j.id, j.cron, j.timezone FROM jobs j
    JOIN deployments d ON d.environment_id = j.environment_id AND d.repository_id = j.repository_id AND d.ended_at IS NULL
    WHERE d.run_as_id = ${runAs}::uuid AND d.id = coalesce(${deploymentId ?? null}::uuid, d.id)
      AND j.removed_at IS NULL AND NOT j.paused AND j.next_run_at <= ${now}
    ORDER BY j.id FOR UPDATE OF j SKIP LOCKED`;
  await advanceJobs(
    client,
    jobs.map(({ id, cron, timezone }) => ({ id, nextRunAt: nextTimeOf(cron, timezone, now) })),
  );
}

/** Locks up to `limit` future schedules whose next time was computed with another release of the time zone database. */
export async function lockOutdatedJobs(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; cron: string; timezone: string }[]> {
  return client.$queryRaw<{ id: string; cron: string; timezone: string }[]>`
    SELECT id, cron, timezone FROM jobs
    WHERE removed_at IS NULL AND NOT paused AND next_run_at > ${now}
      AND zone_database IS DISTINCT FROM ${zoneDatabaseVersion()}
    LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

/**
 * Locks up to `limit` schedules whose next time is after `later`, in the order of their ids, strictly after one. Leaves out those
 * that others change, which compute the time again.
 */
export async function lockLaterJobs(
  client: Transaction,
  { later, after, limit }: { later: Date; after: string; limit: number },
): Promise<{ id: string; cron: string; timezone: string; next_run_at: Date }[]> {
  return client.$queryRaw<{ id: string; cron: string; timezone: string; next_run_at: Date }[]>`
    SELECT id, cron, timezone, next_run_at FROM jobs
    WHERE removed_at IS NULL AND NOT paused AND next_run_at > ${later} AND id > ${after}::uuid
    ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

/** Pauses or resumes a job's schedule and wakes the scheduler. */
export async function setPaused(
  client: Transaction,
  { id, paused, nextRunAt }: { id: string; paused: boolean; nextRunAt: Date | null },
): Promise<void> {
  await client.job.update({
    where: { id },
    data: { paused, next_run_at: nextRunAt, zone_database: zoneDatabaseVersion() },
  });
  await announceSchedules(client);
}
