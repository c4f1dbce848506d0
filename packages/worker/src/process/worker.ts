import { forbidRetry, LeaseLostError, releaseWork, WORK_KINDS, type WorkKind } from '@svc/db/leases';
import type { QuerySlot } from '@svc/db/queries';
import { executeDeploy } from '../deploys/index.ts';
import { schedulerLoop } from '../jobs/index.ts';
import { executeMaintenance } from '../maintenance/index.ts';
import { executeQuery } from '../queries/index.ts';
import { assignSlots, slotsLoop } from '../quotas/index.ts';
import { executeRun } from '../runs/index.ts';
import { sweepLoops } from '../sweep/index.ts';
import { webhookLoop } from '../webhooks/index.ts';
import { Claims, type HeldClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { LeaderLease } from '../work/leader-lease.ts';
import { type Loop, type StartedLoop, startLoop } from '../work/loop.ts';
import { PollQueue } from '../work/poll-queue.ts';
import { Slots } from '../work/slots.ts';
import { traced } from '../work/traced.ts';
import { endReports, reportLoop } from '../workers/index.ts';
import { executeWrite } from '../writes/index.ts';
import { rescueExpired } from './rescue-expired.ts';

/** Maximum deploys and runs per worker. `SVC_WORKER__CONCURRENCY` limits their tasks and queries. */
const MAX_DEPLOYS = 2;
const MAX_RUNS = 100;
/** Maximum tables that one worker maintains at once besides its statements; nobody waits for maintenance. */
const MAX_MAINTENANCE = 1;
const POLL_MS = 1000;
const GRACE_MS = 10_000;

type Execute = (deps: WorkerDeps, claim: HeldClaim, tasks: Slots) => Promise<void>;

const executors: Record<WorkKind, Execute> = {
  queries: executeQuery,
  writes: executeWrite,
  maintenance: executeMaintenance,
  deploys: executeDeploy,
  runs: executeRun,
};

export interface Worker {
  /** For tests that move the clock: runs every loop, or the named one, once and waits for it. */
  tick: (loop?: string) => Promise<void>;
  /** Claims no more work, lets active work run for a while, then releases the rest. */
  stop: () => Promise<void>;
}

/** Starts a worker, which claims work, renews its leases and runs the background loops. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: wires every loop of a worker over shared state
export async function startWorker(deps: WorkerDeps): Promise<Worker> {
  const { db, log, settings, clock } = deps;
  const leaseMs = settings.workerLeaseSeconds * 1000;
  const claims = new Claims({ db, owner: deps.owner, leaseMs, clock, metrics: deps.metrics });
  const leaderLease = new LeaderLease({ db, owner: deps.owner, leaseMs, clock });
  const running = new Set<Promise<void>>();
  const statements = new Slots(settings.workerConcurrency);
  // Tasks have their own slots: a Python task waits for its queries, so it must not occupy a slot they need.
  const tasks = new Slots(settings.workerConcurrency);
  const slots: Record<WorkKind, Slots> = {
    queries: statements,
    writes: statements,
    maintenance: new Slots(MAX_MAINTENANCE),
    deploys: new Slots(MAX_DEPLOYS),
    runs: new Slots(MAX_RUNS),
  };

  const pollQueue = new PollQueue(WORK_KINDS, POLL_MS);
  /** Returns whether another poll may find more. */
  const claimNext = async (kind: WorkKind): Promise<boolean> => {
    if (!slots[kind].tryTake()) {
      pollQueue.noSlot(kind);
      return false;
    }
    const claim = await claims.claim(kind).catch((error: unknown) => {
      slots[kind].release();
      throw error;
    });
    if (claim === null) {
      slots[kind].release();
      return false;
    }
    execute(claim);
    return claim.more !== false;
  };
  const execute = (claim: HeldClaim): void => {
    const work = perform(deps, claim, tasks).finally(() => {
      claims.remove(claim);
      running.delete(work);
      free(claim.kind);
      claim.onFinished?.();
    });
    running.add(work);
  };
  const free = (kind: WorkKind): void => {
    slots[kind].release();
    if (pollQueue.slotFreed()) claimer.wake();
  };
  let stopping = false;
  /** For a query that the API of this process is storing now. Queries that already wait go first. */
  const slotForQuery = (): QuerySlot | null => {
    if (pollQueue.mayWait('queries') || !slots.queries.tryTake()) return null;
    return {
      lease: { owner: deps.owner, leaseMs },
      start: (claim) =>
        new Promise((onFinished) => {
          const held = claims.add('queries', { ...claim, onFinished });
          execute(held);
          if (stopping) held.stop('shutting-down');
        }),
      release: () => free('queries'),
    };
  };

  const loops: Loop[] = [
    {
      name: 'claim work',
      everyMs: POLL_MS,
      runOnce: async (signal) => {
        for (const kind of pollQueue.take()) while (!signal.aborted && (await claimNext(kind)));
        return {};
      },
    },
    schedulerLoop(deps, leaderLease),
    {
      name: 'renew the leader lease',
      everyMs: POLL_MS,
      pauseMs: () => leaderLease.pauseMs,
      runOnce: async () => {
        if (await leaderLease.poll()) scheduler.wake();
        return {};
      },
    },
    { name: 'renew leases', everyMs: leaseMs / 3, runOnce: () => claims.renew().then(() => ({})) },
    { name: 'stop cancelled work', everyMs: POLL_MS, runOnce: () => claims.stopCancelled().then(() => ({})) },
    { name: 'rescue expired leases', everyMs: Math.min(leaseMs / 3, 2000), runOnce: () => rescueExpired(deps) },
    slotsLoop(deps),
    webhookLoop(deps),
    reportLoop(deps),
    ...sweepLoops(deps, leaderLease),
  ];
  // Take the lease before the first poll, so that a single worker schedules from its first moment.
  await leaderLease.poll();
  const started = new Map(loops.map((loop) => [loop.name, startLoop(loop, log, deps.metrics, db.traces)]));
  const [claimer, scheduler, canceller, notifier] = [
    'claim work',
    'schedule',
    'stop cancelled work',
    'deliver webhooks',
  ].map((name) => started.get(name)!) as [StartedLoop, StartedLoop, StartedLoop, StartedLoop];
  const unlisten = [
    await db.listen('svc_queued', (kind) => {
      pollQueue.announced(kind);
      claimer.wake();
    }),
    await db.listen('svc_cancel', () => canceller.wake()),
    await db.listen('svc_starts', () => scheduler.wake()),
    await db.listen('svc_webhooks', () => notifier.wake()),
  ];
  // Without preforked processes, queries start their own: the worker is slower, but works.
  await deps.sandbox.warm().catch((error: unknown) => log.error({ err: error }, "couldn't prefork query processes"));
  deps.dispatcher?.register(slotForQuery);

  return {
    async tick(name) {
      await Promise.all(
        [...started].filter(([of]) => name === undefined || of === name).map(([, loop]) => loop.tick()),
      );
    },
    async stop() {
      deps.dispatcher?.unregister();
      await claimer.stop();
      await scheduler.stop();
      await settle(running, GRACE_MS);
      stopping = true;
      for (const claim of claims.all()) claim.stop('shutting-down');
      await Promise.all(running);
      for (const loop of started.values()) await loop.stop();
      await endReports(deps);
      // Another worker takes it when its lease expires.
      await leaderLease
        .release()
        .catch((error: unknown) => log.warn({ err: error }, "couldn't release the leader lease; it expires by itself"));
      for (const stop of unlisten) await stop();
    },
  };
}

async function perform(deps: WorkerDeps, claim: HeldClaim, tasks: Slots): Promise<void> {
  const log = deps.log.child({ work: claim.kind, id: claim.id });
  const finish = deps.metrics?.claimed(claim.kind);
  try {
    log.debug('work started');
    await deps.step?.('claimed');
    await traced(deps, claim, () => executors[claim.kind](deps, claim, tasks));
    // Its slot is free: the next query of the environment doesn't have to wait for the poll loop.
    if (claim.query?.placed) await assignSlots(deps, claim.query.environment_id);
    log.debug('work finished');
    finish?.('ended');
    await deps.step?.('ended');
  } catch (error) {
    if (isLeaseLost(error) || claim.signal.reason === 'lease-lost') {
      log.warn('the lease was lost: another worker takes over the work');
      finish?.('lease-lost');
      return;
    }
    if (claim.signal.reason === 'shutting-down') {
      finish?.('given-back');
      await releaseClaim(deps, claim, log);
      return;
    }
    finish?.('failed');
    if (isProgramError(error)) {
      log.error({ err: error }, "the work failed because of a bug in svc; it isn't retried");
      await endLost(deps, claim, log);
    } else {
      // The lease expires: that counts the attempt and delays the next one.
      log.error({ err: error }, 'the work failed unexpectedly; it will be retried once');
    }
  }
}

const PROGRAM_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/**
 * Returns whether a second attempt would fail the same way, because the cause is the program and not the database, a
 * file or the network.
 */
function isProgramError(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return cause === undefined ? PROGRAM_ERRORS.some((type) => error instanceof type) : isProgramError(cause);
}

function isLeaseLost(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if (e instanceof LeaseLostError) return true;
  return false;
}

async function releaseClaim(deps: WorkerDeps, claim: HeldClaim, log: WorkerDeps['log']): Promise<void> {
  await releaseWork(deps.db.prisma, { kind: claim.kind, claim }).catch((error: unknown) => {
    log.warn({ err: error }, "couldn't release the work; its lease expires by itself");
  });
}

async function endLost(deps: WorkerDeps, claim: HeldClaim, log: WorkerDeps['log']): Promise<void> {
  await forbidRetry(deps.db.prisma, { kind: claim.kind, claim, now: deps.clock() })
    .then(() => rescueExpired(deps))
    .catch((error: unknown) => {
      log.warn({ err: error }, "couldn't complete the work; its lease expires by itself");
    });
}

async function settle(running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled([...running]), late]);
  clearTimeout(timer);
}
