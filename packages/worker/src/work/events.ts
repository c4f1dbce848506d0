import { type Action, eventObject, type ObjectScope } from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import type { AnyEndpoint } from '@svc/core/contract';
import { findPrincipalById } from '@svc/db/access';
import { type NewEvent, recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { WorkerDeps } from './deps.ts';

/** On whose behalf and by which request a piece of work is done. */
export interface Origin {
  principal: { id: string; name: string } | null;
  environmentId: string;
  requestId: string | null;
  breakGlass?: string | null;
}

interface WorkEvent {
  type: EventType;
  object: ObjectScope;
  detail: Record<string, unknown>;
}

/** An audit event of the work, for the statement or transaction that ends it. */
export function workEvent(deps: WorkerDeps, origin: Origin, event: WorkEvent): NewEvent {
  const { principal, environmentId, requestId, breakGlass } = origin;
  const detail = breakGlass == null ? event.detail : { ...event.detail, break_glass: { reason: breakGlass } };
  return { id: deps.newId(), time: deps.clock(), principal, environmentId, requestId, ...event, detail };
}

/** Writes an audit event into the transaction of the work it tells of. */
export function auditWork(deps: WorkerDeps, tx: Transaction, origin: Origin, event: WorkEvent): Promise<void> {
  return recordEvent(tx, workEvent(deps, origin, event));
}

/** What asked for a piece of work; of what the schedule began, and no request, the route is null. */
export interface AskedBy {
  id: string | null;
  route: string | null;
  /** The run whose task it is. */
  runId?: string;
}

/** The route of an endpoint as refusals name it. */
export const routeText = ({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): string => `${method} ${path}`;

/** Whose work met a refusal. */
export interface Refused {
  principalId: string;
  environment: { id: string };
  request: AskedBy;
}

/** Records that a right is missing which shows only while the work is done, such as on a table a statement names. */
export async function auditRefusal(
  deps: WorkerDeps,
  { principalId, environment, request }: Refused,
  { action, object, reason }: { action: Action; object: ObjectScope; reason: string | null },
): Promise<void> {
  const principal = await findPrincipalById(deps.db.prisma, principalId);
  const run = request.runId === undefined ? {} : { run_id: request.runId };
  await auditWork(
    deps,
    deps.db.prisma,
    {
      principal: { id: principalId, name: principal?.name ?? '' },
      environmentId: environment.id,
      requestId: request.id,
    },
    {
      type: 'AUTHORIZATION_DENIED',
      object,
      detail: { action, object: eventObject(object), route: request.route, reason, ...run },
    },
  );
}
