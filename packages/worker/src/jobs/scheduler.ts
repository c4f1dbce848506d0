import { nextLook } from '@svc/db/jobs';
import type { Loop } from '../work/loop.ts';
import type { SchedulerRole } from '../work/role.ts';
import type { SchedulerDeps } from './deps.ts';
import { enqueue } from './enqueue.ts';
import { refreshTimes } from './refresh-times.ts';
import { startPending } from './start-pending.ts';

/** Maximum delay until a waiting start or a changed time is noticed, if nothing wakes the scheduler earlier. */
const LOOK_MS = 1000;

/** The leader's scheduler loop: enqueues due times and starts waiting runs. Other workers skip it. */
export function schedulerLoop(deps: SchedulerDeps, role: SchedulerRole): Loop {
  let refreshed: bigint | null = null;
  let pause = LOOK_MS;
  return {
    name: 'schedule',
    everyMs: LOOK_MS,
    traced: true,
    pauseMs: () => pause,
    runOnce: async (signal) => {
      pause = LOOK_MS;
      const lease = role.current;
      if (lease === null) return {};
      // Once per leadership: only another program can bring another time zone database.
      if (refreshed !== lease.fence) await refreshTimes(deps, lease, signal);
      refreshed = lease.fence;
      const { dueAt, waiting } = await nextLook(deps.db.prisma);
      const untilDue = dueAt === null ? LOOK_MS : dueAt.getTime() - deps.clock().getTime();
      const { booked, begun } = untilDue > 0 ? { booked: 0, begun: 0 } : await enqueue(deps, lease, signal);
      // After times were enqueued, the next one isn't known yet.
      pause = booked > 0 ? 0 : Math.min(LOOK_MS, Math.max(untilDue, 0) || LOOK_MS);
      if (!waiting && booked === begun) return { booked, begun };
      const more = await startPending(deps, lease, signal);
      return { booked, begun: begun + more.begun, dropped: more.dropped };
    },
  };
}
