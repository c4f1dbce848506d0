import { readSchedulerState } from '@svc/db/jobs';
import type { LeaderElector } from '../work/leader-elector.ts';
import type { Loop } from '../work/loop.ts';
import type { SchedulerDeps } from './deps.ts';
import { enqueue } from './enqueue.ts';
import { recomputeLateTimes, refreshTimes, SET_BACK_MS } from './refresh-times.ts';
import { startPending } from './start-pending.ts';

/** Maximum delay until a waiting start or a changed time is noticed, if nothing wakes the scheduler earlier. */
const POLL_MS = 1000;

/** The leader's scheduler loop: enqueues due times and starts waiting runs. Other workers skip it. */
export function schedulerLoop(deps: SchedulerDeps, elector: Pick<LeaderElector, 'current'>): Loop {
  let refreshed: bigint | null = null;
  /** The latest time at which it ran. */
  let latest = 0;
  let pause = POLL_MS;
  return {
    name: 'schedule',
    everyMs: POLL_MS,
    onlyLeader: true,
    traced: true,
    pauseMs: () => pause,
    runOnce: async (signal) => {
      pause = POLL_MS;
      const lease = elector.current;
      if (lease === null) return {};
      const now = deps.clock().getTime();
      const isSetBack = now < latest - SET_BACK_MS;
      // Once per leadership: only another program can bring another time zone database. It may also be the first after the clock
      // was set back.
      if (refreshed !== lease.fence) await refreshTimes(deps, lease, signal);
      if (refreshed !== lease.fence || isSetBack) await recomputeLateTimes(deps, lease, signal);
      refreshed = lease.fence;
      latest = isSetBack ? now : Math.max(latest, now);
      const { dueAt, waiting } = await readSchedulerState(deps.db.prisma);
      const untilDue = dueAt === null ? POLL_MS : dueAt.getTime() - deps.clock().getTime();
      const { enqueued, started } = untilDue > 0 ? { enqueued: 0, started: 0 } : await enqueue(deps, lease, signal);
      // After times were enqueued, the next one isn't known yet.
      pause = enqueued > 0 ? 0 : Math.min(POLL_MS, Math.max(untilDue, 0) || POLL_MS);
      if (!waiting && enqueued === started) return { enqueued, started };
      const more = await startPending(deps, lease, signal);
      return { enqueued, started: started + more.started, dropped: more.dropped };
    },
  };
}
