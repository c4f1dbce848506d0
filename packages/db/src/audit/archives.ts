import type { EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { EventFilter } from './select-events.ts';

/** A part of the log that is in storage. */
export interface ArchivedPart {
  since: Date;
  until: Date;
  first_sequence: bigint;
  last_sequence: bigint;
  metadata_location: string;
}

/**
 * The archived parts that can have events of the filter, oldest first. Read the events of the database before: a part is archived and
 * removed in one transaction, so an event that was missing there is in a part of the list. Events that are in both have the same id.
 */
export function listArchives(client: Transaction, filter: EventFilter = {}): Promise<ArchivedPart[]> {
  const { eventType, principalId, environmentId, since, until } = filter;
  return client.$queryRaw<ArchivedPart[]>`
    SELECT since, until, first_sequence, last_sequence, metadata_location FROM audit_archives
    WHERE true
      ${eventType === undefined ? Prisma.empty : Prisma.sql`AND ${eventType} = ANY(types)`}
      ${principalId === undefined ? Prisma.empty : Prisma.sql`AND ${principalId}::uuid = ANY(principal_ids)`}
      ${environmentId === undefined ? Prisma.empty : Prisma.sql`AND ${environmentId}::uuid = ANY(environment_ids)`}
      ${since === undefined ? Prisma.empty : Prisma.sql`AND until > ${since}`}
      ${until === undefined ? Prisma.empty : Prisma.sql`AND since < ${until}`}
    ORDER BY until`;
}

export function requireArchive(archive: EventArchive | undefined): EventArchive {
  if (archive === undefined)
    throw new Error('The audit log has archived events, and nothing was passed that reads them.');
  return archive;
}
