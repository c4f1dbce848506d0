import type { RunTrigger } from '@svc/core/runs';
import { jsonText, type Transaction } from '../connection/index.ts';
import { announceWork } from '../leases/index.ts';

export interface PlannedTask {
  asset: string;
  /** Names of planned assets that must be built first. */
  dependsOn: readonly string[];
}

export interface NewRun {
  id: string;
  environmentId: string;
  repositoryId: string;
  versionId: string;
  job: string | null;
  trigger: RunTrigger | null;
  principalId: string;
  requestedBy: string | null;
  select: readonly string[];
  upstream: boolean;
  downstream: boolean;
  /** Whether incremental assets are built from the start (RUN-10). */
  fullRefresh?: boolean;
  timeoutSeconds: number | null;
  scheduledFor?: Date | null;
  missed?: number;
  retryOf?: string | null;
  /** In build order. */
  tasks: readonly PlannedTask[];
  requestId: string | null;
  /** The trace context (W3C) that the run continues. */
  traceparent?: string | null;
  now: Date;
}

/**
 * Starts a run, or returns the id of the project's active one. A unique index enforces one active run per project
 * (JOBS-7).
 */
export async function startRun(
  client: Transaction,
  run: NewRun,
): Promise<{ started: true } | { started: false; activeRunId: string | null }> {
  const started = await startRuns(client, [run]);
  return started.has(run.id) ? { started: true } : { started: false, activeRunId: await activeRunOf(client, run) };
}

/**
 * Starts runs of different projects at once and returns the ids of those whose project had no active run. Their tasks
 * are created when a worker claims the run (see `lockTasks`).
 */
export async function startRuns(client: Transaction, runs: readonly NewRun[]): Promise<Set<string>> {
  if (runs.length === 0) return new Set();
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, requested_by,
      status, "select", upstream, downstream, full_refresh, timeout_seconds, scheduled_for, missed, planned, retry_of, created_at,
      request_id, traceparent)
    SELECT id, environment_id, repository_id, project_version_id, job, trigger, principal_id, requested_by, 'queued',
      "select", upstream, downstream, full_refresh, timeout_seconds, scheduled_for, missed, planned, retry_of, created_at,
      request_id, traceparent
    FROM jsonb_to_recordset(${jsonText(runs.map(runRow))}::jsonb) AS x(id uuid, environment_id uuid,
      repository_id uuid, project_version_id uuid, job text, trigger text, principal_id uuid, requested_by uuid,
      "select" jsonb, upstream boolean, downstream boolean, full_refresh boolean, timeout_seconds int,
      scheduled_for timestamptz, missed int, planned jsonb, retry_of uuid, created_at timestamptz, request_id text, traceparent text)
    ON CONFLICT (environment_id, repository_id) WHERE status IN ('queued', 'running') DO NOTHING RETURNING id`;
  const started = new Set(rows.map(({ id }) => id));
  if (started.size > 0) await announceWork(client, 'runs');
  return started;
}

const runRow = (run: NewRun) => ({
  id: run.id,
  environment_id: run.environmentId,
  repository_id: run.repositoryId,
  project_version_id: run.versionId,
  job: run.job,
  trigger: run.trigger,
  principal_id: run.principalId,
  requested_by: run.requestedBy,
  select: run.select,
  upstream: run.upstream,
  downstream: run.downstream,
  full_refresh: run.fullRefresh ?? false,
  timeout_seconds: run.timeoutSeconds,
  scheduled_for: run.scheduledFor?.toISOString() ?? null,
  missed: run.missed ?? 0,
  planned: run.tasks.map(({ asset, dependsOn }) => ({ asset, depends_on: dependsOn })),
  retry_of: run.retryOf ?? null,
  created_at: run.now.toISOString(),
  request_id: run.requestId,
  traceparent: run.traceparent ?? null,
});

async function activeRunOf(
  client: Transaction,
  p: { environmentId: string; repositoryId: string },
): Promise<string | null> {
  const row = await client.run.findFirst({
    where: { environment_id: p.environmentId, repository_id: p.repositoryId, status: { in: ['queued', 'running'] } },
    select: { id: true },
  });
  return row?.id ?? null;
}
