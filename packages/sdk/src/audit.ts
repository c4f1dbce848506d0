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

/** A head of the log that its key signed: the same as `signed_head` of a verification. */
export type AuditSignedHead = NonNullable<AuditVerification['signed_head']>;

/** A head saved before, with its signature or without. */
export type AuditFormerHead = AuditSignedHead | Pick<AuditSignedHead, 'sequence' | 'hash'>;

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

  /**
   * Proves that the sealed log is whole and unchanged, or reports where it is not. With `head`, one that was saved before,
   * the log must also contain that head.
   */
  verify(options: CallOptions & { head?: AuditFormerHead | undefined } = {}): Promise<AuditVerification> {
    const { call, rest } = split(options);
    const head = rest.head === undefined ? undefined : JSON.stringify(rest.head);
    return this.#call.request('audit.verify', { ...call, query: { head } });
  }

  /**
   * All events from `since` on, oldest first. `onHead` gets the signed head that follows them and covers those with a
   * `sequence`; null when the log has no valid signature.
   */
  async *export(
    options: CallOptions & {
      since?: Date | string | undefined;
      onHead?: ((head: AuditSignedHead | null) => void) | undefined;
    } = {},
  ): AsyncGenerator<AuditEvent, void, undefined> {
    const { call, rest } = split(options);
    const { since, onHead } = rest;
    const query = { since, heads: onHead === undefined ? undefined : true };
    const lines = await this.#call.stream('audit.exportEvents', { ...call, query });
    for await (const line of jsonLines<AuditEvent | { signed_head: AuditSignedHead | null }>(lines)) {
      if ('signed_head' in line) onHead?.(line.signed_head);
      else yield line;
    }
  }
}
