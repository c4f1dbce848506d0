import { Audit as GeneratedAudit } from './generated/audit.ts';
import { jsonLines } from './json-lines.ts';
import type { AuditEvent } from './records.ts';
import type { CallOptions } from './request.ts';
import type { AnswerOf } from './routes.ts';
import { split } from './split.ts';

/** Result of verifying the log's hash chain. */
export type AuditVerification = AnswerOf<'audit.verify'>;

/** A signed head of the log, as `signed_head` of a verification. */
export type AuditSignedHead = NonNullable<AuditVerification['signed_head']>;

/** A head saved earlier, with or without its signature. */
export type AuditFormerHead = AuditSignedHead | Pick<AuditSignedHead, 'sequence' | 'hash'>;

/** The audit log (AUDIT-1). */
export class Audit extends GeneratedAudit {
  /**
   * Verifies that the sealed log is complete and unchanged, or reports where it isn't. With `head`, which was saved earlier, it
   * also verifies that the log contains that head.
   */
  verify(options: CallOptions & { head?: AuditFormerHead | undefined } = {}): Promise<AuditVerification> {
    const { call, rest } = split(options);
    const head = rest.head === undefined ? undefined : JSON.stringify(rest.head);
    return this.call.request('audit.verify', { ...call, query: { head } });
  }

  /**
   * Returns all events from `since` on, oldest first. `onHead` is called with the signed head that follows them and covers those
   * with a `sequence`; null if the log has no valid signature.
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
    const lines = await this.call.stream('audit.exportEvents', { ...call, query });
    for await (const line of jsonLines<AuditEvent | { signed_head: AuditSignedHead | null }>(lines)) {
      if ('signed_head' in line) onHead?.(line.signed_head);
      else yield line;
    }
  }
}
