import type { ObjectScope } from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import { recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { WorkerDeps } from './deps.ts';

/** On whose behalf and by which request a piece of work is done. */
export interface Origin {
  principal: { id: string; name: string } | null;
  environmentId: string;
  requestId: string | null;
  breakGlass?: string | null;
}

/** Writes an audit event into the transaction of the work it tells of. */
export function auditWork(
  deps: WorkerDeps,
  tx: Transaction,
  origin: Origin,
  event: { type: EventType; object: ObjectScope; detail: Record<string, unknown> },
): Promise<void> {
  const { principal, environmentId, requestId, breakGlass } = origin;
  const detail = breakGlass == null ? event.detail : { ...event.detail, break_glass: { reason: breakGlass } };
  return recordEvent(tx, {
    id: deps.newId(),
    time: deps.clock(),
    principal,
    environmentId,
    requestId,
    ...event,
    detail,
  });
}
