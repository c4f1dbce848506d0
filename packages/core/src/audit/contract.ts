import * as z from 'zod';
import { endpoint, filterName, instantText, needs, paging } from '../contract/index.ts';
import { EVENT_TYPES } from './event-types.ts';

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

/** What the walk along the hash chain found. `head` is worth noting elsewhere: it pins the whole log. */
export const verificationSchema = z
  .object({
    intact: z.boolean(),
    sealed: z.int(),
    unsealed: z.int(),
    head: z.object({ sequence: z.int(), hash: z.string() }).nullable(),
    problem: z.object({ sequence: z.int(), detail: z.string() }).nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof verificationSchema>;

export const auditEndpoints = {
  listEvents: endpoint({
    id: 'audit.list',
    method: 'GET',
    path: '/api/v1/audit-events',
    summary: 'The audit log, newest first',
    needs: needs('READ_AUDIT_LOG', 'INSTANCE'),
    query: z.strictObject({
      event_type: z.string().optional().meta({ enum: EVENT_TYPES }),
      principal_id: z.string().optional().meta({ format: 'uuid' }),
      environment: filterName,
      since: instantText.optional(),
      until: instantText.optional(),
      ...paging,
    }),
    answer: { status: 200, schema: z.array(auditEventSchema), list: true, paged: true },
    errors: ['not-found', 'activity-not-recorded'],
  }),
  verify: endpoint({
    id: 'audit.verify',
    method: 'GET',
    path: '/api/v1/audit-events/verification',
    summary: 'Prove that the sealed log is whole and unchanged',
    needs: needs('READ_AUDIT_LOG', 'INSTANCE'),
    query: z.strictObject({}),
    answer: { status: 200, schema: verificationSchema },
  }),
  exportEvents: endpoint({
    id: 'audit.export',
    method: 'GET',
    path: '/api/v1/audit-events/export',
    summary: 'The audit log as JSON lines, oldest first',
    needs: needs('READ_AUDIT_LOG', 'INSTANCE'),
    query: z.strictObject({ since: instantText.optional() }),
    answer: { status: 200, stream: ['application/x-ndjson'] },
    errors: ['activity-not-recorded'],
  }),
};
