import type { AuditEvent, EventType } from '@svc/core/audit';
import { Prisma } from '../generated/client.ts';

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

export interface EventSelection {
  readonly filter: EventFilter;
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
  readonly after: { readonly at: Date; readonly id: string } | null;
}

/** The events of the database that a request includes. */
export function selectEvents({ filter, order, limit, after }: EventSelection): Prisma.Sql {
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
function beyond(order: EventSelection['order'], after: EventSelection['after']): Prisma.Sql {
  if (after === null) return Prisma.empty;
  const { at, id } = after;
  return order === 'newest first'
    ? Prisma.sql`AND time <= ${at} AND (time, id) < (${at}, ${id}::uuid)`
    : Prisma.sql`AND time >= ${at} AND (time, id) > (${at}, ${id}::uuid)`;
}

export function orderOf(order: EventSelection['order'], limit: number): Prisma.Sql {
  return order === 'newest first'
    ? Prisma.sql`ORDER BY time DESC, id DESC LIMIT ${limit}`
    : Prisma.sql`ORDER BY time, id LIMIT ${limit}`;
}
