import type { AuditEvent } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import { split } from './split.ts';

/** `since` is inclusive, `until` exclusive; texts need a time zone. */
export interface AuditFilters extends CallOptions {
  event_type?: string | undefined;
  principal_id?: string | undefined;
  environment?: string | undefined;
  since?: Date | string | undefined;
  until?: Date | string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The audit log (specification 6). */
export class Audit {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** The first page of `listPage`. */
  async list(filters: AuditFilters = {}): Promise<AuditEvent[]> {
    return (await this.listPage(filters)).items;
  }

  /** Newest first. */
  listPage(filters: AuditFilters = {}): Promise<Page<AuditEvent>> {
    const { call, rest } = split(filters);
    return this.#call.page('audit.listEvents', { ...call, query: rest });
  }

  iter(filters: AuditFilters = {}): AsyncGenerator<AuditEvent, void, undefined> {
    const { call, rest } = split(filters);
    return this.#call.iterate('audit.listEvents', { ...call, query: rest });
  }
}
