import type { ObjectScope } from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';

export interface NewEvent {
  id: string;
  time: Date;
  type: EventType;
  /** Null when nobody did it, such as the sweep or a failed sign-in. */
  principal: { id: string; name: string } | null;
  object: ObjectScope;
  environmentId: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
}

/** Writes an audit event into the transaction of the change it tells of: they commit together or not at all. */
export async function recordEvent(client: Transaction, event: NewEvent): Promise<void> {
  const object = event.object.kind === 'INSTANCE' ? { kind: 'INSTANCE' } : event.object;
  await client.$executeRaw`
    INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
    VALUES (${event.id}::uuid, ${event.time}, ${event.type}, ${event.principal?.id ?? null}::uuid,
            ${event.principal?.name ?? null}, ${event.environmentId}::uuid, ${JSON.stringify(object)}::jsonb,
            ${event.requestId}, ${JSON.stringify(event.detail)}::jsonb)`;
}
