import type { AuditEvent, EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { readEvents } from './read-events.ts';
import type { EventFilter, EventRow } from './select-events.ts';

/** Lists events as in AUDIT-4, archived ones included. */
export async function listEvents(
  client: Transaction,
  { filter, page, archive }: { filter: EventFilter; page: PageRequest; archive?: EventArchive | undefined },
): Promise<Page<AuditEvent>> {
  const { limit, after } = page;
  const rows = await readEvents(client, { filter, after, archive, limit: limit + 1, order: 'newest first' });
  return pageOf(rows, page, eventRecord, (row) => row.time);
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
