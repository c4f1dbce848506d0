import { zoneDatabaseVersion } from '@svc/core/jobs';
import { runStarted } from '@svc/core/runs';
import type { Transaction } from '../connection/index.ts';
import { MERGE_STARTS } from './starts.ts';

/** A due time of a schedule, and what follows from it. */
export interface EnqueuedTime {
  jobId: string;
  /** The schedule's next time, or null if it never fires again. */
  nextRunAt: Date | null;
  /** The latest due time. `missed` counts the older ones (JOBS-3). */
  scheduledFor: Date;
  missed: number;
  /** `id` is the id of the run, or of the waiting start if the project is busy; `eventId` is that of RUN_STARTED. */
  id: string;
  eventId: string;
}

/** How many starts became runs immediately, and how many wait. */
export interface EnqueueResult {
  started: number;
  waiting: number;
}

/**
 * Enqueues due times in a single statement and moves each schedule to its next time. If the deployment has a usable run
 * principal (JOBS-2), the longest due start of each free project becomes a run immediately. The others wait and merge
 * with the start that already waits for their job (JOBS-3, JOBS-4, JOBS-7).
 */
export async function enqueueDueJobs(
  client: Transaction,
  { times, now }: { times: readonly EnqueuedTime[]; now: Date },
): Promise<EnqueueResult> {
  if (times.length === 0) return { started: 0, waiting: 0 };
  const rows = await client.$queryRaw<EnqueueResult[]>`
    WITH due AS MATERIALIZED (
      SELECT * FROM unnest(${times.map((t) => t.jobId)}::uuid[], ${times.map((t) => iso(t.nextRunAt))}::timestamptz[],
        ${times.map((t) => iso(t.scheduledFor))}::text[], ${times.map((t) => t.missed)}::int[],
        ${times.map((t) => t.id)}::uuid[], ${times.map((t) => t.eventId)}::uuid[], ${times.map(detailOf)}::jsonb[])
        WITH ORDINALITY AS x(id, next, scheduled_for, missed, run_id, event_id, detail, place)
    ), advanced AS (
      UPDATE jobs j SET next_run_at = due.next, zone_database = ${zoneDatabaseVersion()} FROM due WHERE j.id = due.id
      RETURNING j.id, j.environment_id, j.repository_id, j.name, j.definition, j.tasks,
                due.scheduled_for, due.missed, due.run_id, due.event_id, due.detail, due.place
    ), places AS MATERIALIZED (
      SELECT id, jsonb_build_object('kind', 'ENVIRONMENT', 'environment', name, 'namespace', NULL, 'table', NULL) AS object
      FROM environments WHERE deleted_at IS NULL AND id IN (SELECT environment_id FROM advanced)
    ), bound AS MATERIALIZED (
      SELECT a.*, d.project_version_id, p.id AS principal_id, p.name AS principal, r.name AS repository,
             e.object
      FROM advanced a
      JOIN places e ON e.id = a.environment_id
      JOIN repositories r ON r.id = a.repository_id
      JOIN deployments d ON d.environment_id = a.environment_id AND d.repository_id = a.repository_id AND d.ended_at IS NULL
      JOIN principals p ON p.id = d.run_as_id AND p.active AND p.deleted_at IS NULL AND p.type = 'service-account'
    ), free AS (
      SELECT DISTINCT ON (environment_id, repository_id) run_id FROM bound b
      WHERE NOT EXISTS (SELECT 1 FROM job_starts w WHERE w.environment_id = b.environment_id
                          AND w.repository_id = b.repository_id AND w.ended_at IS NULL)
      ORDER BY environment_id, repository_id, place
    ), started AS (
      INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, status, "select",
        upstream, downstream, timeout_seconds, scheduled_for, missed, planned, created_at)
      SELECT run_id, environment_id, repository_id, project_version_id, name, 'schedule', principal_id, 'queued',
        definition->'select', (definition->>'upstream')::boolean, (definition->>'downstream')::boolean,
        (definition->>'timeoutSeconds')::int, scheduled_for::timestamptz, missed, tasks, ${now}
      FROM bound JOIN free USING (run_id)
      WHERE tasks IS NOT NULL
      -- In one order, so that two batches with jobs of the same projects wait for each other in one direction only.
      ORDER BY environment_id, repository_id
      ON CONFLICT (environment_id, repository_id) WHERE status IN ('queued', 'running') DO NOTHING RETURNING id
    ), events AS (
      -- The names are added here, without a round trip for them.
      INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, detail)
      SELECT event_id, ${now}, 'RUN_STARTED', principal_id, principal, environment_id, object,
        detail || jsonb_build_object('job', name, 'repository', repository)
      FROM bound JOIN started ON started.id = bound.run_id
    ), waiting AS (
      INSERT INTO job_starts AS w (id, job_id, environment_id, repository_id, trigger, requesters, requested_at,
        scheduled_for, missed, merged)
      SELECT run_id, id, environment_id, repository_id, 'schedule', '{}', ${now}, scheduled_for::timestamptz, missed,
        1 + missed
      FROM bound WHERE NOT EXISTS (SELECT 1 FROM started WHERE started.id = bound.run_id) ORDER BY place
      ${MERGE_STARTS} RETURNING 1
    ), count AS (SELECT (SELECT count(*) FROM started)::int AS started, (SELECT count(*) FROM waiting)::int AS waiting)
    SELECT started, waiting, CASE WHEN started > 0 THEN pg_notify('svc_queued', 'runs')::text END AS queued FROM count`;
  const { started, waiting } = rows[0]!;
  return { started, waiting };
}

/** The detail of RUN_STARTED without the names of the job and the repository, as JSON. */
function detailOf({ id, scheduledFor, missed }: EnqueuedTime): string {
  const names = { job: null, repository: '' };
  const { detail } = runStarted({ id, ...names, trigger: 'schedule', scheduledFor, missed, merged: 1 + missed });
  return JSON.stringify(detail);
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
