import type { ArchivedEvent, AuditEvent, EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { listArchives, requireArchive } from './archives.ts';
import { type EventRow, type EventSelection, orderOf, selectEvents } from './select-events.ts';

export interface EventRequest extends EventSelection {
  readonly archive?: EventArchive | undefined;
}

/** Reads events from the database and, if a page reaches that far, from the archive. */
export async function readEvents(client: Transaction, request: EventRequest): Promise<EventRow[]> {
  const { order, limit } = request;
  const newestFirst = order === 'newest first';
  const rows = await client.$queryRaw<(EventRow & { archived_until: Date | null })[]>`
    SELECT *, (SELECT max(until) FROM audit_archives) AS archived_until FROM ${selectEvents(request)} ${orderOf(order, limit)}`;
  const last = rows.at(-1);
  // Late events of archived months are in the database, so only the times show whether the archive has some before the last one.
  const archivedUntil = last?.archived_until ?? null;
  if (last !== undefined && archivedUntil === null && rows.length === limit) return rows;
  if (newestFirst && last !== undefined && rows.length === limit && last.time >= archivedUntil!) return rows;
  const archived = await archivedEvents(client, request);
  return archived.length === 0 ? rows : merged(rows, archived, newestFirst).slice(0, limit);
}

/** The first archived events. Parts can overlap: after a restore, late events of archived months are archived with later months. */
async function archivedEvents(client: Transaction, request: EventRequest): Promise<EventRow[]> {
  const { order, limit, after, filter } = request;
  const newestFirst = order === 'newest first';
  const parts = (await listArchives(client, filter))
    .filter((part) => after === null || (newestFirst ? part.since <= after.at : part.until > after.at))
    .sort((a, b) => (newestFirst ? b.until.getTime() - a.until.getTime() : a.since.getTime() - b.since.getTime()));
  const page = {
    ...filter,
    type: filter.eventType,
    principalId: filter.principalId?.toLowerCase(),
    order,
    after,
    limit,
  };
  let events: EventRow[] = [];
  for (const part of parts) {
    const last = events.length < limit ? null : events.at(-1)!.time;
    if (last !== null && (newestFirst ? part.until <= last : part.since > last)) break;
    const found = await requireArchive(request.archive).page(part.metadata_location, page);
    events = merged(events, found.map(eventRow), newestFirst).slice(0, limit);
  }
  return events;
}

function eventRow({ object, detail, type, ...event }: ArchivedEvent): EventRow {
  return {
    ...event,
    type: type as AuditEvent['type'],
    object: JSON.parse(object) as AuditEvent['object'],
    detail: JSON.parse(detail) as AuditEvent['detail'],
  };
}

/** In order, each once: an event that was archived between the two reads is in both. */
function merged(rows: readonly EventRow[], archived: readonly EventRow[], newestFirst: boolean): EventRow[] {
  const events = [...new Map([...archived, ...rows].map((event) => [event.id, event])).values()];
  const sign = newestFirst ? -1 : 1;
  return events.sort((a, b) => sign * (a.time.getTime() - b.time.getTime() || (a.id < b.id ? -1 : 1)));
}
