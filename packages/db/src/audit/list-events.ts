import type { AuditEvent, EventType } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from '../paging/index.ts';
import type { EventArchive } from './archives.ts';
import { type EventRequest, orderOf, readEvents } from './read-events.ts';

export interface EventFilter {
  eventType?: EventType | undefined;
  principalId?: string | undefined;
  environmentId?: string | undefined;
  /** A namespace of the environment by the name that the event recorded, with the tables in it. */
  namespace?: string | undefined;
  /** A table of the namespace, likewise. */
  table?: string | undefined;
  requestId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

export const EVENT = Prisma.raw('id, sequence, time, type, principal, principal_id, object, request_id, detail');

export type EventRow = Omit<AuditEvent, 'time' | 'sequence'> & { time: Date; sequence: bigint | null };

/**
 * Reads events with and without a sequence number separately. Each part has an index of its own and stops after a page;
 * unnumbered events are few and recent.
 */
export function unionBySequence(part: (condition: Prisma.Sql) => Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${part(Prisma.sql`sequence IS NULL`)}) UNION ALL (${part(Prisma.sql`sequence IS NOT NULL`)})) events`;
}

// The index `audit_events_by_object` has the start of each name: what refused requests named can be longer than an index entry.
const inNamespace = (name: string) => Prisma.sql`
  AND left(object ->> 'namespace', 256) = left(${name}, 256) AND object ->> 'namespace' = ${name}`;
const ofTable = (name: string) => Prisma.sql`
  AND left(object ->> 'table', 128) = left(${name}, 128) AND object ->> 'table' = ${name}`;

/** Lists events as in AUDIT-4, archived ones included. */
export async function listEvents(
  client: Transaction,
  { filter, page, archive }: { filter: EventFilter; page: PageRequest; archive?: EventArchive | undefined },
): Promise<Page<AuditEvent>> {
  const { limit, after } = page;
  const rows = await readEvents(client, { filter, after, archive, limit: limit + 1, order: 'newest first' });
  return pageOf(rows, page, eventRecord, (row) => row.time);
}

/** The events of the database that a request includes. */
export function selectEvents({ filter, order, limit, after }: Omit<EventRequest, 'archive'>): Prisma.Sql {
  const { eventType, principalId, environmentId, namespace, table, requestId, since, until } = filter;
  return unionBySequence(
    (condition) => Prisma.sql`
    SELECT ${EVENT} FROM audit_events
    WHERE ${condition}
      ${eventType === undefined ? Prisma.empty : Prisma.sql`AND type = ${eventType}`}
      ${principalId === undefined ? Prisma.empty : Prisma.sql`AND principal_id = ${principalId}::uuid`}
      ${environmentId === undefined ? Prisma.empty : Prisma.sql`AND environment_id = ${environmentId}::uuid`}
      ${namespace === undefined ? Prisma.empty : inNamespace(namespace)}
      ${table === undefined ? Prisma.empty : ofTable(table)}
      ${requestId === undefined ? Prisma.empty : Prisma.sql`AND request_id = ${requestId}`}
      ${since === undefined ? Prisma.empty : Prisma.sql`AND time >= ${since}`}
      ${until === undefined ? Prisma.empty : Prisma.sql`AND time < ${until}`}
      ${beyond(order, after)}
    ${orderOf(order, limit)}`,
  );
}

/** The rest of the list after a position. PostgreSQL leaves out partitions by the first condition only. */
function beyond(order: EventRequest['order'], after: EventRequest['after']): Prisma.Sql {
  if (after === null) return Prisma.empty;
  const { at, id } = after;
  return order === 'newest first'
    ? Prisma.sql`AND time <= ${at} AND (time, id) < (${at}, ${id}::uuid)`
    : Prisma.sql`AND time >= ${at} AND (time, id) > (${at}, ${id}::uuid)`;
}

export function eventRecord({ sequence, time, ...row }: EventRow): AuditEvent {
  const { id, type, principal, principal_id, object, request_id, detail } = row;
  return {
    id,
    sequence: sequence === null ? null : Number(sequence),
    time: time.toISOString(),
    type,
    principal,
    principal_id,
    object,
    request_id,
    detail,
  };
}
