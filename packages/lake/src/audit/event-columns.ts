import { createHash, type Hash } from 'node:crypto';
import type { ArchivedEvent } from '@svc/core/audit';
import { fieldsOfColumns } from '@svc/iceberg';

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
