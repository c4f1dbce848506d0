import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jobFailed, MAX_ATTEMPTS, pauseAfter } from '@svc/core/webhooks';
import { inTransaction } from '@svc/db/connection';
import { findEnvironmentById } from '@svc/db/environments';
import { appendLog, findRun, runRecord, type StoredRun } from '@svc/db/runs';
import { findSecret } from '@svc/db/secrets';
import { type AttemptOutcome, claimDeliveries, type Delivery, finishAttempt } from '@svc/db/webhooks';
import { systemResolve, upstreamProxy } from '../outgoing/index.ts';
import { openSecret } from '../package-indexes/credentials.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { Loop } from '../work/loop.ts';
import { type Posted, post } from './post.ts';

/** Maximum delay of an attempt. */
const POLL_MS = 2000;
/** Longer than a request can take: an attempt that hasn't finished by then was lost with its worker. */
const LEASE_MS = 60_000;
const AT_ONCE = 20;

/** Notifies webhooks of failed runs (JOBS-17). Every worker takes part. */
export function webhookLoop(deps: WorkerDeps): Loop {
  return { name: 'deliver webhooks', everyMs: POLL_MS, runOnce: (signal) => deliver(deps, signal) };
}

/** While a receiver takes its time, further deliveries are claimed as soon as they are due. */
async function deliver(deps: WorkerDeps, signal: AbortSignal): Promise<Record<string, number>> {
  const counts = { delivered: 0, failed: 0 };
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const start = (delivery: Delivery) => {
    const one = attempt(deps, delivery)
      .then(({ status }) => void counts[status === 'delivered' ? 'delivered' : 'failed']++)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(one));
    running.add(one);
  };
  try {
    while (!signal.aborted && errors.length === 0) {
      const limit = AT_ONCE - running.size;
      const claimed = await claimDeliveries(deps.db.prisma, { now: deps.clock(), leaseMs: LEASE_MS, limit });
      claimed.forEach(start);
      if (running.size === 0) break;
      await nextStep(running, running.size === AT_ONCE);
    }
  } finally {
    await Promise.all(running);
  }
  if (errors.length > 0) throw errors[0];
  return counts;
}

/** Waits for an attempt to finish or, unless as many as possible are running, until it is time to claim more. */
async function nextStep(running: ReadonlySet<Promise<void>>, isFull: boolean): Promise<void> {
  const timer = new AbortController();
  const poll = isFull ? [] : [delay(POLL_MS, undefined, { signal: timer.signal }).catch(() => undefined)];
  await Promise.race([...running, ...poll]);
  timer.abort();
}

/** Makes one attempt. Stores its result and adds it to the run's log. */
async function attempt(deps: WorkerDeps, delivery: Delivery): Promise<AttemptOutcome> {
  const run = (await findRun(deps.db.prisma, delivery.run_id))!;
  const posted = delivery.attempts > MAX_ATTEMPTS ? LOST : await deliverOne(deps, delivery, run);
  await deps.step?.('webhook.sent');
  const time = deps.clock();
  const { result, line } = settle(posted, delivery, time);
  await inTransaction(deps.db, async (tx) => {
    if (!(await finishAttempt(tx, delivery, result))) return;
    await appendLog(tx, { runId: run.id, lines: [{ asset: null, stream: 'service', time, line }] });
  });
  return result;
}

const failed = (outcome: string): Posted => ({ ok: false, outcome, isRetryable: false });
const LOST = failed('the worker stopped during the last attempt');

async function deliverOne(deps: WorkerDeps, delivery: Delivery, run: StoredRun): Promise<Posted> {
  const environment = { id: run.environment_id, name: run.environment };
  if ((await findEnvironmentById(deps.db.prisma, environment.id)) === null)
    return failed('the environment was deleted');
  const secret = await findSecret(deps.db.prisma, { environmentId: environment.id, name: delivery.secret });
  if (secret?.use !== 'environment') {
    const fault = secret === null ? 'missing or revoked' : 'not bound to the environment';
    return failed(`its secret ${delivery.secret} is ${fault}`);
  }
  const { opened, failure } = await openSecret(deps, environment, secret);
  if (failure !== null) return failed(failure.detail);
  const { url = '', signing_key: key = '' } = opened;
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target === null || !/^https?:$/.test(target.protocol))
    return failed(`its secret ${delivery.secret} has no usable url: it must start with https:// or http://`);
  const body = JSON.stringify(jobFailed({ ...runRecord(run), job: run.job! }, deps.apiUrl));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'svc-webhook',
    'Svc-Delivery': delivery.run_id,
    ...(key === '' ? {} : { 'Svc-Signature': sign(key, body, deps.clock()) }),
  };
  const proxy = upstreamProxy(deps.inheritedEnv);
  return post({
    url: target,
    body,
    headers,
    allowHosts: deps.settings.webhookAllowHosts,
    resolve: systemResolve,
    proxy,
  });
}

/** `t=<seconds since 1970>,v1=<HMAC-SHA256 of "<t>.<body>", in hex>`. */
function sign(key: string, body: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`;
}

function settle(posted: Posted, { attempts }: Delivery, now: Date): { result: AttemptOutcome; line: string } {
  if (posted.ok) {
    const outcome = `it returned ${posted.status}`;
    return { result: { outcome, status: 'delivered', at: now }, line: `webhook notified of the failure: ${outcome}` };
  }
  const { outcome } = posted;
  const pause = posted.isRetryable ? pauseAfter(attempts) : null;
  if (pause === null) {
    const after = `after ${attempts === 1 ? '1 attempt' : `${Math.min(attempts, MAX_ATTEMPTS)} attempts`}`;
    return {
      result: { outcome, status: 'failed', at: now },
      line: `webhook not notified of the failure ${after}: ${outcome}`,
    };
  }
  return {
    result: { outcome, status: 'waiting', at: new Date(now.getTime() + pause) },
    line: `webhook not notified of the failure, attempt ${attempts} of ${MAX_ATTEMPTS}: ${outcome}; retrying in ${pause / 1000} s`,
  };
}
