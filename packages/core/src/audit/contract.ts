import * as z from 'zod';
import { endpoint, filterName, flag, instantText, needs, paging } from '../contract/index.ts';
import { EVENT_TYPES } from './event-types.ts';
import { readFormerHead, signedHeadSchema } from './signed-head.ts';

export const auditEventSchema = z
  .object({
    id: z.uuid(),
    sequence: z.int().nullable(),
    time: z.iso.datetime(),
    type: z.enum(EVENT_TYPES),
    principal: z.string().nullable(),
    principal_id: z.uuid().nullable(),
    object: z.object({
      kind: z.string(),
      environment: z.string().nullable().optional(),
      namespace: z.string().nullable().optional(),
      table: z.string().nullable().optional(),
    }),
    request_id: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof auditEventSchema>;

/** A head saved earlier, as a query parameter containing its JSON text. */
const formerHead = z
  .string()
  .max(2048)
  .transform((text, context) => {
    const head = readFormerHead(text);
    if (typeof head !== 'string') return head;
    context.addIssue({ code: 'custom', message: head });
    return z.NEVER;
  })
  .optional()
  .meta({
    description:
      'A previously saved head, as JSON: the `signed_head` of a verification or an export, or `sequence` and `hash`',
  });

const formerHeadSchema = z.object({
  sequence: z.int(),
  /** Whether the chain from the first event had this hash at this sequence. */
  contained: z.boolean(),
  signature: z.enum(['valid', 'invalid', 'unknown-key', 'none']),
});

/** The result of walking the hash chain. Save `signed_head` outside the database: it authenticates the whole log. */
export const verificationSchema = z
  .object({
    intact: z.boolean(),
    sealed: z.int(),
    unsealed: z.int(),
    head: z.object({ sequence: z.int(), hash: z.string() }).nullable(),
    problem: z.object({ sequence: z.int(), detail: z.string() }).nullable(),
    /** Null without a signature, or if the signature is wrong or can't be verified. */
    signed_head: signedHeadSchema.nullable(),
    /** Null unless the request contained a saved head. */
    former_head: formerHeadSchema.nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof verificationSchema>;

export const auditEndpoints = {
  listEvents: endpoint({
    id: 'audit.list',
    method: 'GET',
    path: '/api/v1/audit-events',
    summary: 'List audit events, newest first',
    client: {
      notes:
        '`since` is inclusive, `until` is exclusive. `namespace` needs `environment`, and `table` needs `namespace`; both are the names that the events recorded.',
      typescript: { type: 'AuditFilters' },
    },
    needs: needs('READ_AUDIT_LOG', 'INSTANCE'),
    query: z.strictObject({
      event_type: z.string().optional().meta({ enum: EVENT_TYPES }),
      principal_id: z.string().optional().meta({ format: 'uuid' }),
      environment: filterName,
      namespace: filterName.meta({ description: 'Name of a namespace when the event was recorded: it and its tables' }),
      table: filterName.meta({ description: 'Name of a table of the namespace when the event was recorded' }),
      request_id: filterName.meta({ description: 'X-Request-Id of the request that caused the event' }),
      since: instantText.optional(),
      until: instantText.optional(),
      ...paging,
    }),
    response: { status: 200, schema: z.array(auditEventSchema), list: true, paged: true },
    errors: ['not-found', 'activity-not-recorded', 'files-gone'],
  }),
  verify: endpoint({
    id: 'audit.verify',
    method: 'GET',
    path: '/api/v1/audit-events/verification',
    summary: 'Verify that the sealed audit log is complete and unchanged',
    needs: needs('READ_AUDIT_LOG', 'INSTANCE'),
    query: z.strictObject({ head: formerHead }),
    response: { status: 200, schema: verificationSchema },
  }),
  exportEvents: endpoint({
    id: 'audit.export',
    method: 'GET',
    path: '/api/v1/audit-events/export',
    summary: 'Export the audit log as JSON lines, oldest first',
    needs: needs('READ_AUDIT_LOG', 'INSTANCE'),
    query: z.strictObject({
      since: instantText.optional(),
      heads: flag.meta({
        description: 'Append a last line `{"signed_head": …}` (default: false)',
        enum: ['true', 'false'],
      }),
    }),
    response: { status: 200, stream: ['application/x-ndjson'] },
    errors: ['activity-not-recorded', 'files-gone'],
  }),
};
