import type { Transaction } from '../connection/index.ts';

/** A claimed delivery attempt. A run fails only once, so the run's id identifies the delivery. */
export interface Delivery {
  run_id: string;
  /** Name of the secret that contains the URL. */
  secret: string;
  /** Number of this attempt, from 1. A worker with another number can't finish the delivery. */
  attempts: number;
}

/**
 * Enqueues the notification of a failed run whose job has a webhook, in the transaction that finishes the run
 * (JOBS-17). The job's definition comes from the version that ran.
 */
export async function queueDelivery(client: Transaction, { runId, now }: { runId: string; now: Date }): Promise<void> {
  const queued = await client.$executeRaw`
    INSERT INTO webhook_deliveries (run_id, secret, status, due_at, created_at)
    SELECT x.id, j.job->>'webhook', 'waiting', ${now}, ${now}
    FROM runs x JOIN project_versions v ON v.id = x.project_version_id
    CROSS JOIN LATERAL jsonb_array_elements(v.jobs) AS j(job)
    WHERE x.id = ${runId}::uuid AND x.status = 'failed' AND j.job->>'name' = x.job AND j.job->>'webhook' IS NOT NULL
    ON CONFLICT (run_id) DO NOTHING`;
  if (queued > 0) await client.$executeRaw`SELECT pg_notify('svc_webhooks', '')`;
}

/**
 * Claims due deliveries, longest due first. Each claim counts as an attempt and makes the delivery due again after
 * `leaseMs`, in case the worker crashes. Two workers never get the same attempt.
 */
export async function claimDeliveries(
  client: Transaction,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Delivery[]> {
  return client.$queryRaw<Delivery[]>`
    UPDATE webhook_deliveries SET tries = tries + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    WHERE run_id IN (SELECT run_id FROM webhook_deliveries WHERE status = 'waiting' AND due_at <= ${now}
                     ORDER BY due_at, run_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING run_id, secret, tries AS attempts`;
}

export interface AttemptOutcome {
  outcome: string;
  /** `waiting`: another attempt follows. */
  status: 'waiting' | 'delivered' | 'failed';
  /** When the next attempt is due, or when the delivery finished. */
  at: Date;
}

/** Stores the result of an attempt. Returns false if the lease expired and another attempt has started. */
export async function finishAttempt(
  client: Transaction,
  { run_id, attempts }: Delivery,
  { outcome, status, at }: AttemptOutcome,
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE webhook_deliveries SET status = ${status}, outcome = ${outcome}, due_at = ${at},
      ended_at = CASE WHEN ${status} = 'waiting' THEN NULL ELSE ${at}::timestamptz END
    WHERE run_id = ${run_id}::uuid AND tries = ${attempts} AND status = 'waiting'`;
  return changed > 0;
}

/** Removes up to `limit` deliveries that finished before a time, and returns how many. */
export async function removeOldDeliveries(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    DELETE FROM webhook_deliveries WHERE run_id IN (
      SELECT run_id FROM webhook_deliveries WHERE ended_at < ${before} ORDER BY ended_at LIMIT ${limit})`;
}
