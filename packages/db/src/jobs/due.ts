import { zoneDatabaseVersion } from '@svc/core/jobs';
import type { Transaction } from '../connection/index.ts';

/** A schedule whose time has come. */
export interface DueJob {
  id: string;
  environment_id: string;
  repository_id: string;
  cron: string;
  timezone: string;
  next_run_at: Date;
  /** Whether scheduled runs have a principal they may act as. */
  has_principal: boolean;
}

/** Locks the schedules whose time has come, longest due first, at most `limit`. */
export async function takeDueJobs(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<DueJob[]> {
  return client.$queryRaw<DueJob[]>`
    WITH due AS (
      SELECT id, environment_id, repository_id, cron, timezone, next_run_at FROM jobs
      WHERE removed_at IS NULL AND NOT paused AND next_run_at <= ${now}
      ORDER BY next_run_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT due.*, coalesce(p.active AND p.deleted_at IS NULL AND p.type = 'service-account' AND e.deleted_at IS NULL, false)
             AS has_principal
    FROM due JOIN environments e ON e.id = due.environment_id
    LEFT JOIN deployments d ON d.environment_id = due.environment_id AND d.repository_id = due.repository_id
      AND d.ended_at IS NULL
    LEFT JOIN principals p ON p.id = d.run_as_id
    ORDER BY due.next_run_at, due.id`;
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
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id uuid, next timestamptz) WHERE j.id = x.id`;
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

/** Pauses or resumes the schedule of a job. */
export async function setPaused(
  client: Transaction,
  { id, paused, nextRunAt }: { id: string; paused: boolean; nextRunAt: Date | null },
): Promise<void> {
  await client.job.update({
    where: { id },
    data: { paused, next_run_at: nextRunAt, zone_database: zoneDatabaseVersion() },
  });
}
