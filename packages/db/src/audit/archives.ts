import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { EventFilter } from './select-events.ts';

/** An event of an archive; JSON values are the texts that PostgreSQL printed. */
export interface ArchivedEvent {
  readonly id: string;
  readonly sequence: bigint;
  readonly time: Date;
  readonly type: string;
  readonly principal_id: string | null;
  readonly principal: string | null;
  readonly environment_id: string | null;
  readonly object: string;
  readonly request_id: string | null;
  readonly detail: string;
  readonly hash: Uint8Array;
}

export interface ArchivePage {
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly type?: string | undefined;
  readonly principalId?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly namespace?: string | undefined;
  readonly table?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Reads the archived parts of the log. Each is identified by the location of its metadata. */
export interface EventArchive {
  page(metadataLocation: string, page: ArchivePage): Promise<ArchivedEvent[]>;
  /** The events with numbers after `after` up to `to`. */
  numbered(metadataLocation: string, after: bigint, to: bigint): Promise<ArchivedEvent[]>;
  count(
    metadataLocation: string,
    filter: { readonly since: Date; readonly until: Date; readonly readerId: string },
  ): Promise<{ rows: number; others: number; people: string[] }>;
  /** Whether an error means that the storage doesn't respond, not that the archive is damaged. */
  isUnavailable(error: unknown): boolean;
}

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
