import { createHash, type Hash } from 'node:crypto';
import { fieldsOfColumns } from '@svc/iceberg';

/** An event as PostgreSQL prints it. Its hash in the chain depends on the exact texts of `object` and `detail`. */
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
export interface EventPage {
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

/** The columns of an archive, in this order. */
export const EVENT_COLUMNS = [
  { name: 'id', type: 'string' },
  { name: 'sequence', type: 'long' },
  { name: 'time', type: 'timestamptz' },
  { name: 'type', type: 'string' },
  { name: 'principal_id', type: 'string' },
  { name: 'principal', type: 'string' },
  { name: 'environment_id', type: 'string' },
  { name: 'object', type: 'string' },
  { name: 'request_id', type: 'string' },
  { name: 'detail', type: 'string' },
  { name: 'hash', type: 'binary' },
] as const;

export const EVENT_FIELDS = fieldsOfColumns(EVENT_COLUMNS).fields;

/** Compares what was written with what was read: the digest of all events in order. */
export class EventDigest {
  private readonly hash: Hash = createHash('sha256');
  rows = 0;

  add(event: ArchivedEvent): void {
    const { id, sequence, time, type, principal_id, principal, environment_id, object, request_id, detail } = event;
    const texts = [String(sequence), time.getTime(), type, principal_id, principal, environment_id, object, request_id];
    this.hash.update(JSON.stringify([id, ...texts, detail])).update(event.hash);
    this.rows++;
  }

  /** The number of events and their hash. */
  text(): string {
    return `${this.rows} ${this.hash.copy().digest('hex')}`;
  }
}
