import type { Loop } from '../work/loop.ts';
import type { SchedulerRole } from '../work/role.ts';
import { begin } from './begin.ts';
import { book } from './book.ts';
import type { SchedulerDeps } from './deps.ts';
import { Plans } from './plans.ts';
import { refreshTimes } from './refresh-times.ts';

/** How late a due time or a waiting start is seen at most, when nothing wakes the scheduler before. */
const LOOK_MS = 250;

/** The loop of the scheduler role: books due times, begins waiting starts. Everyone else passes. */
export function schedulerLoop(deps: SchedulerDeps, role: SchedulerRole): Loop {
  const plans = new Plans();
  let refreshed: bigint | null = null;
  return {
    name: 'schedule',
    everyMs: LOOK_MS,
    runOnce: async (signal) => {
      const lease = role.current;
      if (lease === null) return {};
      // Once for each time the role is taken: only another program can bring another zone database.
      if (refreshed !== lease.fence) await refreshTimes(deps, lease, signal);
      refreshed = lease.fence;
      const booked = await book(deps, lease, signal);
      return { booked, ...(await begin(deps, lease, signal, plans)) };
    },
  };
}
