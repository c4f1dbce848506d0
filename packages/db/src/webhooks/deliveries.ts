import type { Transaction } from '../connection/index.ts';

/** One claimed try of a delivery; a run fails once, so its id is the delivery's. */
export interface Delivery {
  run_id: string;
  /** Name of the secret that holds the address. */
  secret: string;
  /** This try, the first is 1: whoever holds another number can end nothing. */
  tries: number;
}

/**
 * Lets a webhook be told of a failed run whose job names one, in the transaction that ends the run. The job is read as
 * it was in the version that ran.
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
 * Claims deliveries whose next try is due, longest due first: each counts one try more and is due again after `leaseMs`,
 * should whoever claimed it die. Two workers never get the same try.
 */
export async function claimDeliveries(
  client: Transaction,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Delivery[]> {
  return client.$queryRaw<Delivery[]>`
    UPDATE webhook_deliveries SET tries = tries + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    WHERE run_id IN (SELECT run_id FROM webhook_deliveries WHERE status = 'waiting' AND due_at <= ${now}
                     ORDER BY due_at, run_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING run_id, secret, tries`;
}

export interface DeliveryEnd {
  outcome: string;
  /** `waiting` until the next try. */
  status: 'waiting' | 'delivered' | 'failed';
  /** When the next try is due; the end otherwise. */
  at: Date;
}

/** Keeps what became of a try. False when the try was lost meanwhile and another one counts. */
export async function endTry(
  client: Transaction,
  { run_id, tries }: Delivery,
  { outcome, status, at }: DeliveryEnd,
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE webhook_deliveries SET status = ${status}, outcome = ${outcome}, due_at = ${at},
      ended_at = CASE WHEN ${status} = 'waiting' THEN NULL ELSE ${at}::timestamptz END
    WHERE run_id = ${run_id}::uuid AND tries = ${tries} AND status = 'waiting'`;
  return changed > 0;
}

/** Removes deliveries that ended before a time, at most `limit`; returns how many. */
export async function removeOldDeliveries(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    DELETE FROM webhook_deliveries WHERE run_id IN (
      SELECT run_id FROM webhook_deliveries WHERE ended_at < ${before} ORDER BY ended_at LIMIT ${limit})`;
}
