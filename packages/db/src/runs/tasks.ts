import type { Failure } from '@svc/core/errors';
import type { CheckResult, StoredAttempts, TaskAttempt, TaskStatus } from '@svc/core/runs';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { announceFinished, announceProgress, type Claim, requireLease } from '../leases/index.ts';
import { queueDelivery } from '../webhooks/index.ts';
import { releaseBuilt } from './release-built.ts';

export interface StoredTaskRow {
  id: string;
  asset: string;
  status: TaskStatus;
  depends_on: string[];
  /** How many of its attempts failed; those that a lost worker left don't count. */
  failures: number;
}

/**
 * Returns the tasks of a claimed run in build order. Creates them from the plan with these ids unless an earlier worker
 * did. A task that a lost worker left running starts again; its program may still run, but its token is revoked.
 */
export async function lockTasks(
  client: Transaction,
  { claim, ids, now }: { claim: Claim; ids: readonly string[]; now: Date },
): Promise<StoredTaskRow[]> {
  await requireLease(client, { kind: 'runs', claim });
  await client.$executeRaw`
    WITH claimed AS (
      SELECT id, planned FROM runs WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND planned IS NOT NULL
      FOR UPDATE
    ), made AS (UPDATE runs SET planned = NULL FROM claimed WHERE runs.id = claimed.id)
    INSERT INTO run_tasks (id, run_id, position, asset, depends_on, status)
    SELECT (${ids}::uuid[])[at], claimed.id, at - 1, task->>'asset', task->'depends_on', 'queued'
    FROM claimed, jsonb_array_elements(claimed.planned) WITH ORDINALITY AS t(task, at)`;
  await client.$executeRaw`
    WITH claimed AS (
      SELECT id FROM runs WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} FOR UPDATE
    ), lost AS (
      UPDATE run_tasks SET status = 'queued', started_at = NULL, past_attempts = ${withAttempt({ status: 'lost', error: null, now })}
      FROM claimed WHERE run_id = claimed.id AND status = 'running' RETURNING run_tasks.id
    )
    UPDATE tokens t SET revoked_at = ${now} FROM lost
    WHERE t.run_id = ${claim.id}::uuid AND t.task_id = lost.id AND t.revoked_at IS NULL`;
  await announceProgress(client, { kind: 'runs', id: claim.id });
  return client.$queryRaw<StoredTaskRow[]>`
    SELECT id, asset, status, depends_on,
           jsonb_array_length(jsonb_path_query_array(coalesce(past_attempts, '[]'), '$[*] ? (@.status == "failed")')) AS failures
    FROM run_tasks WHERE run_id = ${claim.id}::uuid ORDER BY position`;
}

/** The past attempts of a running task with the one that ends now. */
function withAttempt({
  status,
  error,
  now,
}: {
  status: 'failed' | 'lost';
  error: Failure | null;
  now: Date;
}): Prisma.Sql {
  return Prisma.sql`coalesce(run_tasks.past_attempts, '[]') || jsonb_build_object('number', run_tasks.attempts,
    'status', ${status}::text, 'started_at', run_tasks.started_at, 'ended_at', ${now}::timestamptz,
    'error', ${error === null ? null : jsonText(error)}::jsonb)`;
}

/** The attempts of tasks that had several, or one that their rows don't describe, by asset. */
export async function findAttempts(client: Transaction, runId: string): Promise<ReadonlyMap<string, StoredAttempts>> {
  const rows = await client.$queryRaw<{ asset: string; attempts: number; past_attempts: TaskAttempt[] | null }[]>`
    SELECT asset, attempts, past_attempts FROM run_tasks
    WHERE run_id = ${runId}::uuid AND (attempts > 1 OR past_attempts IS NOT NULL)`;
  const iso = (time: string | null) => (time === null ? null : new Date(time).toISOString());
  return new Map(
    rows.map(({ asset, attempts: count, past_attempts }) => {
      const past = (past_attempts ?? []).map((attempt) => ({
        ...attempt,
        started_at: iso(attempt.started_at),
        ended_at: iso(attempt.ended_at),
      }));
      return [asset, { count, past }];
    }),
  );
}

export async function startTask(
  client: Transaction,
  { claim, taskId, now }: { claim: Claim; taskId: string; now: Date },
): Promise<void> {
  await requireLease(client, { kind: 'runs', claim });
  await client.$executeRaw`
    UPDATE run_tasks SET status = 'running', attempts = attempts + 1, started_at = ${now}, ended_at = NULL, error = NULL
    WHERE id = ${taskId}::uuid AND status = 'queued'`;
  await announceProgress(client, { kind: 'runs', id: claim.id });
}

export interface TaskOutcome {
  status: 'succeeded' | 'failed' | 'cancelled' | 'skipped';
  rows: number | null;
  error: Failure | null;
  /** Those that ran. */
  checks?: readonly CheckResult[];
}

/** Finishes a task in the transaction that commits its result. */
export async function finishTask(
  client: Transaction,
  { claim, taskId, outcome, now }: { claim: Claim; taskId: string; outcome: TaskOutcome; now: Date },
): Promise<void> {
  await requireLease(client, { kind: 'runs', claim });
  const { checks = [] } = outcome;
  await client.$executeRaw`
    UPDATE run_tasks SET status = ${outcome.status}, ended_at = ${now}, rows = ${outcome.rows},
      error = ${outcome.error === null ? null : jsonText(outcome.error)}::jsonb,
      checks = ${checks.length === 0 ? null : jsonText(checks)}::jsonb
    WHERE id = ${taskId}::uuid AND status IN ('queued', 'running')`;
  await announceProgress(client, { kind: 'runs', id: claim.id });
}

/** How the tasks that a run leaves unfinished end. */
const UNFINISHED = {
  cancelled: { running: 'cancelled', queued: 'cancelled' },
  failed: { running: 'failed', queued: 'skipped' },
} as const;

export interface RunOutcome {
  status: 'succeeded' | 'failed' | 'cancelled';
  error: Failure | null;
}

/**
 * Finishes a claimed run and revokes the tokens of its tasks. If the run failed, enqueues its job's notification
 * (JOBS-17).
 */
export async function finishRun(
  client: Transaction,
  { claim, outcome, now }: { claim: Claim; outcome: RunOutcome; now: Date },
): Promise<void> {
  await requireLease(client, { kind: 'runs', claim });
  const error = outcome.error === null ? null : jsonText(outcome.error);
  const { running, queued } = UNFINISHED[outcome.status === 'cancelled' ? 'cancelled' : 'failed'];
  await client.$executeRaw`
    UPDATE run_tasks SET status = CASE status WHEN 'running' THEN ${running} ELSE ${queued} END, ended_at = ${now},
      error = CASE WHEN status = 'running' AND ${running} = 'failed' THEN ${error}::jsonb END
    WHERE run_id = ${claim.id}::uuid AND status IN ('queued', 'running')`;
  await client.$executeRaw`
    UPDATE runs SET status = ${outcome.status}, ended_at = ${now}, lease_owner = NULL, lease_expires_at = NULL,
      error = ${error}::jsonb WHERE id = ${claim.id}::uuid`;
  await client.token.updateMany({ where: { run_id: claim.id, revoked_at: null }, data: { revoked_at: now } });
  await releaseBuilt(client, claim.id);
  await queueDelivery(client, { runId: claim.id, now });
  await announceFinished(client, { kind: 'runs', id: claim.id });
}

/** Returns a running task to the queue for another attempt, after one that failed. */
export async function retryTask(
  client: Transaction,
  { claim, taskId, error, now }: { claim: Claim; taskId: string; error: Failure; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE run_tasks SET status = 'queued', past_attempts = ${withAttempt({ status: 'failed', error, now })} FROM runs r
    WHERE run_tasks.id = ${taskId}::uuid AND run_tasks.status = 'running' AND r.id = run_tasks.run_id AND r.id = ${claim.id}::uuid
      AND r.lease_fence = ${claim.fence} AND r.status = 'running'`;
  await announceProgress(client, { kind: 'runs', id: claim.id });
}

/**
 * Finishes the tasks of an abandoned run, revokes their tokens, and enqueues its job's notification (JOBS-17).
 */
export async function closeLostRun(client: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  const { status } = await client.run.findUniqueOrThrow({ where: { id }, select: { status: true } });
  await closeTasks(client, { id, outcomes: UNFINISHED[status === 'cancelled' ? 'cancelled' : 'failed'], now });
  await queueDelivery(client, { runId: id, now });
}

/** Finishes the tasks of a run that no worker has, revokes their tokens and releases its tables. A lost worker may have left one running. */
export async function closeTasks(
  client: Transaction,
  { id, outcomes, now }: { id: string; outcomes: Record<'running' | 'queued', TaskStatus>; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE run_tasks SET status = CASE status WHEN 'running' THEN ${outcomes.running} ELSE ${outcomes.queued} END, ended_at = ${now},
      past_attempts = CASE status WHEN 'running' THEN ${withAttempt({ status: 'lost', error: null, now })} ELSE past_attempts END
    WHERE run_id = ${id}::uuid AND status IN ('queued', 'running')`;
  await client.token.updateMany({ where: { run_id: id, revoked_at: null }, data: { revoked_at: now } });
  await releaseBuilt(client, id);
}
