import type { Failure } from '@svc/core/errors';
import type { Run, RunTask, RunTrigger, TaskStatus } from '@svc/core/runs';
import type { WorkStatus } from '@svc/core/writes';
import { Prisma } from '../generated/client.ts';

interface StoredTask extends Omit<RunTask, 'status'> {
  status: TaskStatus;
}

/** A run as this folder's queries select it, with its tasks in the order of the plan. */
export interface StoredRun {
  id: string;
  environment_id: string;
  environment: string;
  /** The project, of which one run at a time is active; for a version in a development namespace, an id of its own. */
  repository_id: string;
  repository: string;
  project_version_id: string;
  principal_id: string;
  principal: string | null;
  requested_by: string | null;
  requester: string | null;
  status: WorkStatus;
  select: string[];
  upstream: boolean;
  downstream: boolean;
  full_refresh: boolean;
  tasks: StoredTask[];
  error: Failure | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  cancel_requested_at: Date | null;
  job: string | null;
  trigger: RunTrigger | null;
  scheduled_for: Date | null;
  missed: number;
  timeout_seconds: number | null;
  request_id: string | null;
  retry_of: string | null;
  /** The file with its log; null while the log is in the database. */
  log_location: string | null;
}

/** The status of a planned task whose row was never created, derived from how its run finished. */
const STATUS_OF_PLANNED = Prisma.sql`
  CASE x.status WHEN 'cancelled' THEN 'cancelled' WHEN 'failed' THEN 'skipped' ELSE 'queued' END`;

export const SELECT_RUN = Prisma.sql`
  SELECT x.id, x.environment_id, e.name AS environment, x.repository_id, r.name AS repository, x.project_version_id,
         x.principal_id, p.name AS principal, x.requested_by, q.name AS requester, x.status, x.select, x.upstream,
         x.downstream, x.full_refresh, x.error, x.created_at, x.started_at, x.ended_at, x.cancel_requested_at, x.job, x.trigger,
         x.scheduled_for, x.missed, x.timeout_seconds, x.request_id, x.retry_of, x.log_location,
         CASE WHEN x.planned IS NULL THEN
           (SELECT coalesce(jsonb_agg(jsonb_build_object('asset', t.asset, 'status', t.status, 'started_at', t.started_at,
              'ended_at', t.ended_at, 'rows', t.rows, 'error', t.error, 'checks', coalesce(t.checks, '[]')) ORDER BY t.position), '[]')
            FROM run_tasks t WHERE t.run_id = x.id)
         ELSE
           (SELECT coalesce(jsonb_agg(jsonb_build_object('asset', t.task->'asset', 'status', ${STATUS_OF_PLANNED},
              'started_at', NULL, 'ended_at', x.ended_at, 'rows', NULL, 'error', NULL, 'checks', '[]'::jsonb) ORDER BY t.at), '[]')
            FROM jsonb_array_elements(x.planned) WITH ORDINALITY AS t(task, at))
         END AS tasks
  FROM runs x JOIN environments e ON e.id = x.environment_id LEFT JOIN project_versions v ON v.id = x.project_version_id
  JOIN repositories r ON r.id = coalesce(v.repository_id, x.repository_id)
  LEFT JOIN principals p ON p.id = x.principal_id LEFT JOIN principals q ON q.id = x.requested_by`;

const iso = (time: string | Date | null): string | null => (time === null ? null : new Date(time).toISOString());

/** Builds the API record of a run; its last four fields are in the order of RUN-2. */
export function runRecord(row: StoredRun): Run {
  return {
    id: row.id,
    environment: row.environment,
    repository: row.repository,
    project_version_id: row.project_version_id,
    principal: row.principal,
    requested_by: row.requester,
    status: row.status,
    select: row.select,
    upstream: row.upstream,
    downstream: row.downstream,
    full_refresh: row.full_refresh,
    tasks: row.tasks.map((task) => ({
      asset: task.asset,
      status: task.status,
      started_at: iso(task.started_at),
      ended_at: iso(task.ended_at),
      rows: task.rows,
      error: task.error,
      checks: task.checks,
    })),
    retry_of: row.retry_of,
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: iso(row.started_at),
    ended_at: iso(row.ended_at),
    job: row.job,
    trigger: row.trigger,
    scheduled_for: iso(row.scheduled_for),
    missed: row.missed,
  };
}
