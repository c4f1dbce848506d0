import { schedulerLoop } from '../jobs/index.ts';
import { slotsLoop } from '../quotas/index.ts';
import { sweepLoops } from '../sweep/index.ts';
import { webhookLoop } from '../webhooks/index.ts';
import type { Claims } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { LeaderElector } from '../work/leader-elector.ts';
import type { Loop } from '../work/loop.ts';
import { reportLoop } from '../workers/index.ts';
import type { Dispatcher } from './dispatcher.ts';
import { rescueExpired } from './rescue-expired.ts';

/** What the loops of a worker share. */
export interface LoopParts {
  readonly deps: WorkerDeps;
  readonly dispatcher: Dispatcher;
  readonly claims: Claims;
  readonly leaderElector: LeaderElector;
  readonly pollMs: number;
  readonly leaseMs: number;
  /** Called when this worker becomes the leader. */
  readonly onElected: () => void;
}

/** Every loop of a worker, in the order in which they start. */
export function workerLoops(parts: LoopParts): Loop[] {
  const { deps, dispatcher, claims, leaderElector, pollMs, leaseMs } = parts;
  return [
    { name: 'claim work', everyMs: pollMs, runOnce: (signal) => dispatcher.claimWork(signal) },
    schedulerLoop(deps, leaderElector),
    {
      name: 'renew the leader lease',
      everyMs: pollMs,
      pauseMs: () => leaderElector.pauseMs,
      runOnce: async () => {
        if (await leaderElector.poll()) parts.onElected();
        return {};
      },
    },
    { name: 'renew leases', everyMs: leaseMs / 3, runOnce: () => claims.renew().then(() => ({})) },
    { name: 'stop cancelled work', everyMs: pollMs, runOnce: () => claims.stopCancelled().then(() => ({})) },
    { name: 'rescue expired leases', everyMs: Math.min(leaseMs / 3, 2000), runOnce: () => rescueExpired(deps) },
    slotsLoop(deps),
    webhookLoop(deps),
    reportLoop(deps),
    ...sweepLoops(deps, leaderElector),
  ];
}
