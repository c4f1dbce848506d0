import { eventObject, type ObjectScope } from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export interface NewEvent {
  id: string;
  time: Date;
  type: EventType;
  /** Null if no principal caused the event, as in a sweep or a failed sign-in. */
  principal: { id: string; name: string } | null;
  object: ObjectScope;
  environmentId: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
}

/** Writes an audit event in the transaction of its change, so that both commit or neither does (AUDIT-1). */
export async function recordEvent(client: Transaction, event: NewEvent): Promise<void> {
  await client.$executeRaw`${insertEvent(event)}`;
}

/**
 * `recordEvent` as a SQL fragment, for a change and its event in one statement. Pass `from` to write the event only if
 * the change affected a row.
 */
export function insertEvent(event: NewEvent, from: Prisma.Sql = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
    SELECT ${event.id}::uuid, ${event.time}::timestamptz, ${event.type}::text, ${event.principal?.id ?? null}::uuid,
           ${event.principal?.name ?? null}::text, ${event.environmentId}::uuid,
           ${jsonText(eventObject(event.object))}::jsonb, ${event.requestId}::text, ${jsonText(event.detail)}::jsonb
    ${from}`;
}

export async function recordEvents(client: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await client.$executeRaw`${insertEvents(events)}`;
}

/**
 * `recordEvents` as a SQL fragment, for a change and its events in one statement. Pass `from` to write the events only
 * if the change affected a row.
 */
export function insertEvents(events: readonly NewEvent[], from: Prisma.Sql = Prisma.empty): Prisma.Sql {
  const rows = events.map((event) => ({
    id: event.id,
    time: event.time.toISOString(),
    type: event.type,
    principal_id: event.principal?.id ?? null,
    principal: event.principal?.name ?? null,
    environment_id: event.environmentId,
    object: eventObject(event.object),
    request_id: event.requestId,
    detail: event.detail,
  }));
  return Prisma.sql`
    INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
    SELECT x.* FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS x(id uuid, time timestamptz, type text,
      principal_id uuid, principal text, environment_id uuid, object jsonb, request_id text, detail jsonb) ${from}`;
}
