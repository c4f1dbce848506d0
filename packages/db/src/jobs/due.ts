import { zoneDatabaseVersion } from '@svc/core/jobs';
import { jsonText, type Transaction } from '../connection/index.ts';
import { announceSchedules } from '../leases/index.ts';

/** Schedules that are due at one moment by the same cron. */
export interface DueTime {
  cron: string;
  timezone: string;
  next_run_at: Date;
  /** The jobs of these schedules. */
  ids: string[];
}

/** Locks the schedules whose time has come, longest due first, at most `limit`. */
export async function takeDueTimes(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<DueTime[]> {
  return client.$queryRaw<DueTime[]>`
    WITH due AS (
      SELECT id, cron, timezone, next_run_at FROM jobs
      WHERE removed_at IS NULL AND NOT paused AND next_run_at <= ${now}
      ORDER BY next_run_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT cron, timezone, next_run_at, array_agg(id::text ORDER BY id) AS ids FROM due
    GROUP BY cron, timezone, next_run_at ORDER BY next_run_at`;
}

/** When the scheduler is needed next. */
export interface NextLook {
  /** The earliest time of any schedule, which may have come; null when there is none. */
  dueAt: Date | null;
  /** Whether any start waits. */
  waiting: boolean;
}

/** One cheap look, to be repeated often. */
export async function nextLook(client: Transaction): Promise<NextLook> {
  const rows = await client.$queryRaw<{ due_at: Date | null; waiting: boolean }[]>`/* prepared next-look */
    SELECT (SELECT min(next_run_at) FROM jobs WHERE removed_at IS NULL AND NOT paused) AS due_at,
           EXISTS (SELECT 1 FROM job_starts WHERE ended_at IS NULL) AS waiting`;
  return { dueAt: rows[0]!.due_at, waiting: rows[0]!.waiting };
}

/** Consumes due times: each schedule goes on at its next one (null: never again). */
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

/** Locks schedules to come whose next time another release of the zone database told, at most `limit`. */
export async function takeOutdatedJobs(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; cron: string; timezone: string }[]> {
  return client.$queryRaw<{ id: string; cron: string; timezone: string }[]>`
    SELECT id, cron, timezone FROM jobs
    WHERE removed_at IS NULL AND NOT paused AND next_run_at > ${now}
      AND zone_database IS DISTINCT FROM ${zoneDatabaseVersion()}
    LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

/** Pauses or resumes the schedule of a job, and lets the scheduler look when it is due. */
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
