import { type Action, eventObject, type ObjectScope } from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import type { AnyEndpoint } from '@svc/core/contract';
import { findPrincipalById } from '@svc/db/access';
import { type NewEvent, recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import { recordSnapshotSource, type SnapshotWork } from '@svc/db/tables';
import type { WorkerDeps } from './deps.ts';

/** The principal and the request that a piece of work belongs to. */
export interface Origin {
  principal: { id: string; name: string } | null;
  environmentId: string;
  requestId: string | null;
  breakGlass?: string | null;
  /** The work that its snapshots name. */
  work?: SnapshotWork;
}

interface WorkEvent {
  type: EventType;
  object: ObjectScope;
  detail: Record<string, unknown>;
}

/** Builds an audit event for the statement or transaction that finishes the work. */
export function workEvent(deps: WorkerDeps, origin: Origin, event: WorkEvent): NewEvent {
  const { principal, environmentId, requestId, breakGlass } = origin;
  const detail = breakGlass == null ? event.detail : { ...event.detail, break_glass: { reason: breakGlass } };
  return { id: deps.newId(), time: deps.clock(), principal, environmentId, requestId, ...event, detail };
}

/** Writes an audit event in the transaction of the work it describes. */
export function auditWork(deps: WorkerDeps, tx: Transaction, origin: Origin, event: WorkEvent): Promise<void> {
  return recordEvent(tx, workEvent(deps, origin, event));
}

/** Records who or what made a snapshot, in the transaction that commits it. */
export async function recordSnapshot(
  deps: WorkerDeps,
  tx: Transaction,
  { principal, work }: Origin,
  snapshot: { tableId: string; snapshotId: number | bigint | string },
): Promise<void> {
  await recordSnapshotSource(tx, { ...work, ...snapshot, principalId: principal?.id ?? null, now: deps.clock() });
}

/** The request that caused a piece of work. The route is null if the schedule started it. */
export interface RequestedBy {
  id: string | null;
  route: string | null;
  /** The run that the task belongs to. */
  runId?: string;
}

/** The route of an endpoint as AUTHORIZATION_DENIED events name it. */
export const routeText = ({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): string => `${method} ${path}`;

/** The work that was denied access. */
export interface DeniedWork {
  principalId: string;
  environment: { id: string };
  request: RequestedBy;
}

/** Records a denial that only shows while the work runs, such as a missing right on a table that a statement names. */
export async function auditDenial(
  deps: WorkerDeps,
  { principalId, environment, request }: DeniedWork,
  { action, object, reason }: { action: Action; object: ObjectScope; reason: string | null },
  client: Transaction = deps.db.prisma,
): Promise<void> {
  const principal = await findPrincipalById(client, principalId);
  const run = request.runId === undefined ? {} : { run_id: request.runId };
  await auditWork(
    deps,
    client,
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
