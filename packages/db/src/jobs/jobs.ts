import { diffJobs, type JobChanges, type PlannedAsset, type ResolvedJob } from '@svc/core/deploys';
import { type Job, jobState, localText, zoneDatabaseVersion } from '@svc/core/jobs';
import type { RunTrigger } from '@svc/core/runs';
import type { WorkStatus } from '@svc/core/writes';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** A job with everything that its state depends on (JOBS-15). */
export interface StoredJob {
  id: string;
  environment: string;
  repository_id: string;
  repository: string;
  name: string;
  definition: ResolvedJob;
  cron: string | null;
  timezone: string | null;
  paused: boolean;
  next_run_at: Date | null;
  run_as_id: string | null;
  run_as_usable: boolean | null;
  active_run_id: string | null;
  waiting: {
    trigger: RunTrigger;
    requested_at: string;
    scheduled_for: string | null;
    merged: number;
  } | null;
  last_run_id: string | null;
  last_run_status: WorkStatus | null;
  last_run_trigger: RunTrigger | null;
  last_run_at: Date | null;
}

/** Lists the jobs of an environment by repository and name, optionally only those called `name`. */
export async function listJobs(
  client: Transaction,
  q: { environmentId: string; repository?: string | undefined; name?: string | undefined },
): Promise<StoredJob[]> {
  return client.$queryRaw<StoredJob[]>`
    SELECT j.id, e.name AS environment, j.repository_id, r.name AS repository, j.name, j.definition, j.cron, j.timezone,
           j.paused, j.next_run_at, d.run_as_id,
           (p.active AND p.deleted_at IS NULL AND p.type = 'service-account') AS run_as_usable,
           active.id AS active_run_id,
           (SELECT jsonb_build_object('trigger', s.trigger, 'requested_at', s.requested_at, 'scheduled_for',
              s.scheduled_for, 'merged', s.merged) FROM job_starts s WHERE s.job_id = j.id AND s.ended_at IS NULL) AS waiting,
           last.id AS last_run_id, last.status AS last_run_status,
           last.trigger AS last_run_trigger, last.created_at AS last_run_at
    FROM jobs j
    JOIN environments e ON e.id = j.environment_id JOIN repositories r ON r.id = j.repository_id
    JOIN deployments d ON d.environment_id = j.environment_id AND d.repository_id = j.repository_id AND d.ended_at IS NULL
    LEFT JOIN principals p ON p.id = d.run_as_id
    LEFT JOIN runs active ON active.environment_id = j.environment_id AND active.repository_id = j.repository_id
      AND active.status IN ('queued', 'running')
    LEFT JOIN LATERAL (
      SELECT * FROM (
        SELECT active.id, active.status, active.trigger, active.created_at WHERE active.job = j.name
        UNION ALL
        (SELECT x.id, x.status, x.trigger, x.created_at FROM runs x
         WHERE x.environment_id = j.environment_id AND x.repository_id = j.repository_id AND x.job = j.name
           AND x.ended_at IS NOT NULL
         ORDER BY x.created_at DESC, x.id DESC LIMIT 1)
      ) runs_of_job ORDER BY created_at DESC, id DESC LIMIT 1) last ON true
    WHERE j.environment_id = ${q.environmentId}::uuid AND j.removed_at IS NULL
      ${q.repository === undefined ? Prisma.empty : Prisma.sql`AND r.name = ${q.repository}`}
      ${q.name === undefined ? Prisma.empty : Prisma.sql`AND j.name = ${q.name}`}
    ORDER BY r.name, j.name`;
}

/** Builds the API record of a job, with the triggers in the order of JOBS-14. */
export function jobRecord(row: StoredJob): Job {
  const { cron, timezone, paused, definition } = row;
  const next = row.next_run_at?.toISOString() ?? null;
  const schedule = cron !== null && timezone !== null ? { cron, timezone } : null;
  const runPrincipal = row.run_as_id === null ? null : { usable: row.run_as_usable === true };
  return {
    name: row.name,
    environment: row.environment,
    repository: row.repository,
    select: [...definition.select],
    upstream: definition.upstream,
    downstream: definition.downstream,
    cron,
    timezone,
    state: jobState({
      hasSchedule: schedule !== null,
      paused,
      waiting: row.waiting !== null,
      projectBusy: row.active_run_id !== null,
      runPrincipal,
    }),
    paused,
    next_run_at: next,
    next_run_local: row.next_run_at !== null && timezone !== null ? localText(row.next_run_at, timezone) : null,
    waiting_for: waitingRecord(row),
    waits_for_run_id: row.waiting === null ? null : row.active_run_id,
    last_run_id: row.last_run_id,
    last_run_status: row.last_run_status,
    last_run_trigger: row.last_run_trigger,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    triggers: [
      ...(schedule === null ? [] : [{ kind: 'schedule' as const, ...schedule, paused, next_run_at: next }]),
      { kind: 'on_demand' as const },
    ],
  };
}

/** Describes a job's waiting start, in the same form as the 202 response to a start. */
function waitingRecord({ name, repository, waiting, active_run_id }: StoredJob): Job['waiting_for'] {
  if (waiting === null) return null;
  const at = (text: string) => new Date(text).toISOString();
  return {
    job: name,
    repository,
    trigger: waiting.trigger,
    requested_at: at(waiting.requested_at),
    scheduled_for: waiting.scheduled_for === null ? null : at(waiting.scheduled_for),
    merged: waiting.merged,
    waits_for_run_id: active_run_id,
  };
}

export interface Reconciliation {
  environmentId: string;
  repositoryId: string;
  jobs: readonly ResolvedJob[];
  /** What each job builds, in build order. */
  plans: ReadonlyMap<string, readonly PlannedAsset[]>;
  /** Computes the first time after now at which a schedule fires. */
  nextRun: (schedule: { cron: string; timezone: string }) => Date | null;
  newId: () => string;
  now: Date;
}

/**
 * Locks the project's jobs until the transaction commits, so that nothing enqueues, pauses or deploys them
 * concurrently.
 */
export async function lockJobs(client: Transaction, q: { environmentId: string; repositoryId: string }): Promise<void> {
  await client.$queryRaw`
    SELECT id FROM jobs WHERE environment_id = ${q.environmentId}::uuid AND repository_id = ${q.repositoryId}::uuid
      AND removed_at IS NULL ORDER BY id FOR UPDATE`;
}

async function liveJobs(client: Transaction, q: { environmentId: string; repositoryId: string }) {
  return client.job.findMany({
    where: { environment_id: q.environmentId, repository_id: q.repositoryId, removed_at: null },
  });
}

/** Computes what a deploy of these jobs would change. */
export async function compareJobs(
  client: Transaction,
  q: { environmentId: string; repositoryId: string; jobs: readonly ResolvedJob[] },
): Promise<JobChanges> {
  const live = await liveJobs(client, q);
  return diffJobs(
    live.map((job) => job.definition as unknown as ResolvedJob),
    q.jobs,
  );
}

/**
 * Replaces the project's jobs with those of a version. An unchanged schedule keeps its next time; a new or changed one
 * counts from now (JOBS-1). Pauses survive, but a job that was removed and is added again starts unpaused (JOBS-6).
 * Returns the ids of removed jobs and the changes, both computed from the locked rows.
 */
export async function reconcileJobs(
  client: Transaction,
  r: Reconciliation,
): Promise<{ removed: string[]; changes: JobChanges }> {
  await lockJobs(client, r);
  const changes = await compareJobs(client, r);
  const live = new Map((await liveJobs(client, r)).map((job) => [job.name, job]));
  for (const job of r.jobs) {
    const old = live.get(job.name);
    live.delete(job.name);
    const { cron = null, timezone = null } = job.schedule ?? {};
    const same = old !== undefined && old.cron === cron && old.timezone === timezone;
    const paused = old?.paused ?? false;
    const next = job.schedule === null || paused ? null : r.nextRun(job.schedule);
    const data = {
      definition: job as unknown as object,
      tasks: r.plans.get(job.name)!.map(({ asset, dependsOn }) => ({ asset, depends_on: [...dependsOn] })),
      cron,
      timezone,
      ...(same ? {} : { next_run_at: next, zone_database: zoneDatabaseVersion() }),
      updated_at: r.now,
    };
    if (old !== undefined) await client.job.update({ where: { id: old.id }, data });
    else
      await client.job.create({
        data: {
          id: r.newId(),
          environment_id: r.environmentId,
          repository_id: r.repositoryId,
          name: job.name,
          created_at: r.now,
          ...data,
        },
      });
  }
  const removed = [...live.values()].map(({ id }) => id);
  await client.job.updateMany({ where: { id: { in: removed } }, data: { removed_at: r.now, next_run_at: null } });
  return { removed, changes };
}

/** Removes the jobs of a deployment that was undeployed and returns their ids. */
export async function removeJobs(
  client: Transaction,
  q: { environmentId: string; repositoryId: string; now: Date },
): Promise<string[]> {
  await lockJobs(client, q);
  const ids = (await liveJobs(client, q)).map(({ id }) => id);
  await client.job.updateMany({ where: { id: { in: ids } }, data: { removed_at: q.now, next_run_at: null } });
  return ids;
}
