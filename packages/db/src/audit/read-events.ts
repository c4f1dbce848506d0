import type { ArchivedEvent, AuditEvent, EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { listArchives, requireArchive } from './archives.ts';
import { type EventRow, type EventSelection, orderOf, selectEvents } from './select-events.ts';

export interface EventRequest extends EventSelection {
  readonly archive?: EventArchive | undefined;
}

/** Reads events from the database and, if a page reaches that far, from the archive. */
export async function readEvents(client: Transaction, request: EventRequest): Promise<EventRow[]> {
  const { order, limit, after, filter } = request;
  const newestFirst = order === 'newest first';
  const rows = await client.$queryRaw<(EventRow & { archived_until: Date | null })[]>`
    SELECT *, (SELECT max(until) FROM audit_archives) AS archived_until FROM ${selectEvents(request)} ${orderOf(order, limit)}`;
  const last = rows.at(-1);
  // Late events of archived months are in the database, so only the times show whether the archive has some before the last one.
  const archivedUntil = last?.archived_until ?? null;
  if (last !== undefined && archivedUntil === null && rows.length === limit) return rows;
  if (newestFirst && last !== undefined && rows.length === limit && last.time >= archivedUntil!) return rows;
  const parts = (await listArchives(client, filter)).filter(
    (part) => after === null || (newestFirst ? part.since <= after.at : part.until > after.at),
  );
  const archived: EventRow[] = [];
  for (const part of newestFirst ? parts.reverse() : parts) {
    const page = { ...filter, type: filter.eventType, principalId: filter.principalId?.toLowerCase(), order, after };
    const left = limit - archived.length;
    const found = await requireArchive(request.archive).page(part.metadata_location, { ...page, limit: left });
    archived.push(...found.map(eventRow));
    if (archived.length >= limit) break;
  }
  return archived.length === 0 ? rows : merged(rows, archived, newestFirst).slice(0, limit);
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
