import { nextLook } from '@svc/db/jobs';
import type { Loop } from '../work/loop.ts';
import type { SchedulerRole } from '../work/role.ts';
import { begin } from './begin.ts';
import { book } from './book.ts';
import type { SchedulerDeps } from './deps.ts';
import { refreshTimes } from './refresh-times.ts';

/** How late a waiting start, or a time that was changed, is seen at most, when nothing wakes the scheduler before. */
const LOOK_MS = 1000;

/** The loop of the scheduler role: books due times when they come, begins waiting starts. Everyone else passes. */
export function schedulerLoop(deps: SchedulerDeps, role: SchedulerRole): Loop {
  let refreshed: bigint | null = null;
  let pause = LOOK_MS;
  return {
    name: 'schedule',
    everyMs: LOOK_MS,
    told: true,
    pauseMs: () => pause,
    runOnce: async (signal) => {
      pause = LOOK_MS;
      const lease = role.current;
      if (lease === null) return {};
      // Once for each time the role is taken: only another program can bring another zone database.
      if (refreshed !== lease.fence) await refreshTimes(deps, lease, signal);
      refreshed = lease.fence;
      const { dueAt, waiting } = await nextLook(deps.db.prisma);
      const untilDue = dueAt === null ? LOOK_MS : dueAt.getTime() - deps.clock().getTime();
      const { booked, begun } = untilDue > 0 ? { booked: 0, begun: 0 } : await book(deps, lease, signal);
      // After a booking the next time is not known yet.
      pause = booked > 0 ? 0 : Math.min(LOOK_MS, Math.max(untilDue, 0) || LOOK_MS);
      if (!waiting && booked === begun) return { booked, begun };
      const more = await begin(deps, lease, signal);
      return { booked, begun: begun + more.begun, dropped: more.dropped };
    },
  };
}
