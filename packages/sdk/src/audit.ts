import { jsonLines } from './json-lines.ts';
import type { AuditEvent } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import type { AnswerOf } from './routes.ts';
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

/** What the walk along the log's hash chain found. */
export type AuditVerification = AnswerOf<'audit.verify'>;

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

  /** Proves that the sealed log is whole and unchanged, or says where it is not. */
  verify(options: CallOptions = {}): Promise<AuditVerification> {
    return this.#call.request('audit.verify', options);
  }

  /** All events from `since` on, oldest first. */
  async *export(
    options: CallOptions & { since?: Date | string | undefined } = {},
  ): AsyncGenerator<AuditEvent, void, undefined> {
    const { call, rest } = split(options);
    yield* jsonLines<AuditEvent>(await this.#call.stream('audit.exportEvents', { ...call, query: rest }));
  }
}
