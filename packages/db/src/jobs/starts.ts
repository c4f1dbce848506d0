import type { ResolvedJob } from '@svc/core/deploys';
import type { RunTrigger } from '@svc/core/runs';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { announceSchedules } from '../leases/index.ts';

/** A request to start a job. It waits, or merges into the start that already waits for the job. */
export interface StartRequest {
  id: string;
  jobId: string;
  environmentId: string;
  repositoryId: string;
  trigger: RunTrigger;
  /** Null for a scheduled start. */
  requesterId: string | null;
  scheduledFor: Date | null;
  /** Older due times that this start covers. */
  missed: number;
  now: Date;
}

/** Merges a new start into the start `w` that already waits for the job (JOBS-7, JOBS-12). */
export const MERGE_STARTS = Prisma.sql`
  ON CONFLICT (job_id) WHERE ended_at IS NULL DO UPDATE SET
    trigger = CASE WHEN excluded.trigger = 'schedule' THEN 'schedule' ELSE w.trigger END,
    requesters = CASE WHEN w.requesters @> excluded.requesters THEN w.requesters
      ELSE w.requesters || excluded.requesters END,
    missed = w.missed + excluded.missed
      + CASE WHEN w.scheduled_for IS NOT NULL AND excluded.scheduled_for IS NOT NULL THEN 1 ELSE 0 END,
    scheduled_for = greatest(w.scheduled_for, excluded.scheduled_for),
    merged = w.merged + excluded.merged`;

/**
 * Adds waiting starts. A job has one waiting start at most, so later ones merge into it: one scheduled request makes
 * the whole start scheduled, the latest due time becomes `scheduled_for`, and `missed` counts the older ones (JOBS-7,
 * JOBS-12).
 */
export async function waitToStart(client: Transaction, requests: readonly StartRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const rows = requests.map((r) => ({
    id: r.id,
    job_id: r.jobId,
    environment_id: r.environmentId,
    repository_id: r.repositoryId,
    trigger: r.trigger,
    requester: r.requesterId,
    requested_at: r.now.toISOString(),
    scheduled_for: r.scheduledFor?.toISOString() ?? null,
    missed: r.missed,
  }));
  await client.$executeRaw`
    INSERT INTO job_starts AS w (id, job_id, environment_id, repository_id, trigger, requesters, requested_at,
      scheduled_for, missed, merged)
    SELECT id, job_id, environment_id, repository_id, trigger,
      CASE WHEN requester IS NULL THEN '{}'::uuid[] ELSE ARRAY[requester] END, requested_at, scheduled_for, missed, 1 + missed
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS x(id uuid, job_id uuid, environment_id uuid,
      repository_id uuid, trigger text, requester uuid, requested_at timestamptz, scheduled_for timestamptz, missed int)
    ${MERGE_STARTS}`;
  await announceSchedules(client);
}

/** A waiting start, as the API and the scheduler read it. */
export interface WaitingStart {
  id: string;
  job_id: string;
  environment_id: string;
  environment: string;
  repository_id: string;
  job: string;
  repository: string;
  trigger: RunTrigger;
  requesters: string[];
  requested_at: Date;
  scheduled_for: Date | null;
  missed: number;
  merged: number;
  waits_for_run_id: string | null;
}

export async function findWaitingStart(client: Transaction, jobId: string): Promise<WaitingStart | null> {
  const rows = await client.$queryRaw<WaitingStart[]>`
    SELECT s.id, s.job_id, s.environment_id, e.name AS environment, s.repository_id, j.name AS job, r.name AS repository, s.trigger, s.requesters,
           s.requested_at, s.scheduled_for, s.missed, s.merged, x.id AS waits_for_run_id
    FROM job_starts s JOIN jobs j ON j.id = s.job_id JOIN repositories r ON r.id = s.repository_id
    JOIN environments e ON e.id = s.environment_id
    LEFT JOIN runs x ON x.environment_id = s.environment_id AND x.repository_id = s.repository_id
      AND x.status IN ('queued', 'running')
    WHERE s.job_id = ${jobId}::uuid AND s.ended_at IS NULL`;
  return rows[0] ?? null;
}

/** Whether a start waits for the project. */
export async function hasWaitingStart(
  client: Transaction,
  p: { environmentId: string; repositoryId: string },
): Promise<boolean> {
  const count = await client.jobStart.count({
    where: { environment_id: p.environmentId, repository_id: p.repositoryId, ended_at: null },
  });
  return count > 0;
}

/** A waiting start of a project without an active run, with what it builds. */
export interface ReadyStart extends WaitingStart {
  definition: ResolvedJob;
  /** In build order; null: read the plan from the deployed version. */
  tasks: { asset: string; depends_on: string[] }[] | null;
  /** Whether the job was removed from the deployed version. */
  removed: boolean;
}

/**
 * Locks the longest waiting start of each project without an active run, for up to `limit` projects, and its job: a deploy
 * can't change what the job builds before the run has its version. Leaves out the jobs that a deploy is changing.
 */
export async function lockReadyStarts(client: Transaction, { limit }: { limit: number }): Promise<ReadyStart[]> {
  // The query groups instead of joining: `job_starts` is usually empty, and with those statistics the planner picks a
  // plan for one row even when thousands wait.
  return client.$queryRaw<ReadyStart[]>`
    WITH ready AS (
      SELECT (array_agg(id ORDER BY requested_at, id) FILTER (WHERE id IS NOT NULL))[1] AS id FROM (
        SELECT environment_id, repository_id, id, requested_at FROM job_starts WHERE ended_at IS NULL
        UNION ALL
        SELECT environment_id, repository_id, NULL, NULL FROM runs WHERE status IN ('queued', 'running')
          AND EXISTS (SELECT 1 FROM job_starts WHERE ended_at IS NULL)
      ) each_project GROUP BY environment_id, repository_id HAVING count(*) = count(id)
    ), locked AS MATERIALIZED (
      SELECT s.* FROM job_starts s WHERE s.id = ANY(ARRAY(SELECT id FROM ready)) AND s.ended_at IS NULL
      ORDER BY s.requested_at, s.id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT l.id, l.job_id, l.environment_id, e.name AS environment, l.repository_id, j.name AS job, r.name AS repository, l.trigger, l.requesters,
           l.requested_at, l.scheduled_for, l.missed, l.merged, NULL::uuid AS waits_for_run_id,
           j.definition, j.tasks, j.removed_at IS NOT NULL AS removed
    FROM locked l JOIN jobs j ON j.id = l.job_id JOIN repositories r ON r.id = l.repository_id
    JOIN environments e ON e.id = l.environment_id
    ORDER BY l.requested_at, l.id FOR SHARE OF j SKIP LOCKED`;
}

export interface StartOutcome {
  id: string;
  runId: string | null;
  reason: string | null;
}

/** Completes waiting starts: each became a run, or was dropped for a reason. */
export async function finishStarts(
  client: Transaction,
  { outcomes, now }: { outcomes: readonly StartOutcome[]; now: Date },
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ id, runId, reason }) => ({ id, run_id: runId, reason }));
  // `coalesce` keeps the planner off the partial index of waiting starts: statistics say that few rows wait, and it
  // would scan that index once per row.
  await client.$executeRaw`
    UPDATE job_starts s SET ended_at = ${now}, run_id = x.run_id, reason = x.reason
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS x(id uuid, run_id uuid, reason text)
    WHERE s.id = x.id AND coalesce(s.ended_at, 'infinity') = 'infinity'`;
}

/** Drops the waiting starts of removed jobs and returns them. */
export async function dropStartsOf(
  client: Transaction,
  { jobIds, reason, now }: { jobIds: readonly string[]; reason: string; now: Date },
): Promise<WaitingStart[]> {
  // Wait for starts that are turning into runs right now; they no longer count as waiting.
  await client.$queryRaw`
    SELECT id FROM job_starts WHERE job_id = ANY(${[...jobIds]}::uuid[]) AND ended_at IS NULL ORDER BY id FOR UPDATE`;
  const dropped: WaitingStart[] = [];
  for (const jobId of jobIds) {
    const start = await findWaitingStart(client, jobId);
    if (start !== null) dropped.push(start);
  }
  await finishStarts(client, { outcomes: dropped.map(({ id }) => ({ id, runId: null, reason })), now });
  return dropped;
}
