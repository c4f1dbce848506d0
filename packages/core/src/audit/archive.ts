/** An event of an archive, as PostgreSQL prints it. Its hash in the chain depends on the exact texts of `object` and `detail`. */
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

/** A page of an archive by time and id. The filters apply to the columns of the same name. */
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

/** Reads the archived parts of the audit log. Each is identified by the location of its metadata. */
export interface EventArchive {
  page(metadataLocation: string, page: ArchivePage): Promise<ArchivedEvent[]>;
  /** The events with numbers after `after` up to `to`. */
  numbered(metadataLocation: string, after: bigint, to: bigint): Promise<ArchivedEvent[]>;
  /** The number of all events, whatever their numbers are. */
  size(metadataLocation: string): Promise<number>;
  count(
    metadataLocation: string,
    filter: { readonly since: Date; readonly until: Date; readonly readerId: string },
  ): Promise<{ rows: number; others: number; people: string[] }>;
  /** Whether an error means that the storage doesn't respond, not that the archive is damaged. */
  isUnavailable(error: unknown): boolean;
}
