import { scopeOf } from '@svc/core/access';
import type { WaitingStart } from '@svc/db/jobs';

/** Builds the event of a start that was dropped. */
export function startDroppedEvent(start: WaitingStart, reason: string) {
  const { environment, job, repository, trigger, merged } = start;
  return {
    type: 'JOB_START_DROPPED' as const,
    object: scopeOf({ environment }),
    detail: { job, repository, trigger, reason, merged, scheduled_for: start.scheduled_for?.toISOString() ?? null },
  };
}
