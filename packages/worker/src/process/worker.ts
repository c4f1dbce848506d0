import { Claims } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { LeaderElector } from '../work/leader-elector.ts';
import { type StartedLoop, startLoop } from '../work/loop.ts';
import { removeReport } from '../workers/index.ts';
import { Dispatcher } from './dispatcher.ts';
import { workerLoops } from './worker-loops.ts';

const POLL_MS = 1000;

export interface Worker {
  /** For tests that move the clock: runs every loop, or the named one, once and waits for it. */
  tick: (loop?: string) => Promise<void>;
  /** Claims no more work, lets active work run for a while, then releases the rest. */
  stop: () => Promise<void>;
}

/** Starts a worker, which claims work, renews its leases and runs the background loops. */
export async function startWorker(deps: WorkerDeps): Promise<Worker> {
  const { db, log, settings, clock, owner } = deps;
  const leaseMs = settings.workerLeaseSeconds * 1000;
  const claims = new Claims({ db, owner, leaseMs, clock, metrics: deps.metrics });
  const leaderElector = new LeaderElector({ db, owner, leaseMs, clock });
  const started = new Map<string, StartedLoop>();
  const wake = (name: string) => () => started.get(name)?.wake();
  const ofLeader: StartedLoop[] = [];
  const onElected = () => {
    for (const loop of ofLeader) loop.wake();
  };
  const dispatcher = new Dispatcher(deps, claims, { leaseMs, pollMs: POLL_MS, wake: wake('claim work') });
  // Take the lease before the first poll, so that a single worker schedules from its first moment.
  await leaderElector.poll();
  const shared = { deps, dispatcher, claims, leaderElector, pollMs: POLL_MS, leaseMs };
  for (const loop of workerLoops({ ...shared, onElected })) {
    const running = startLoop(loop, log, deps.metrics, db.traces);
    started.set(loop.name, running);
    if (loop.onlyLeader) ofLeader.push(running);
  }
  const unlisten = [
    await db.listen('svc_queued', (queue) => dispatcher.announce(queue)),
    await db.listen('svc_cancel', wake('stop cancelled work')),
    await db.listen('svc_starts', wake('schedule')),
    await db.listen('svc_webhooks', wake('deliver webhooks')),
  ];
  // Without preforked processes, queries start their own: the worker is slower, but works.
  await deps.sandbox.warm().catch((error: unknown) => log.error({ err: error }, "couldn't prefork query processes"));
  deps.dispatcher?.register((query) => dispatcher.startQuery(query));

  return {
    async tick(name) {
      await Promise.all(
        [...started].filter(([of]) => name === undefined || of === name).map(([, loop]) => loop.tick()),
      );
    },
    async stop() {
      deps.dispatcher?.unregister();
      await started.get('claim work')?.stop();
      await started.get('schedule')?.stop();
      await dispatcher.stop();
      for (const loop of started.values()) await loop.stop();
      await removeReport(deps);
      // Another worker takes it when its lease expires.
      await leaderElector
        .release()
        .catch((error: unknown) => log.warn({ err: error }, "couldn't release the leader lease; it expires by itself"));
      for (const stop of unlisten) await stop();
    },
  };
}
