export { HIDDEN, hideContent } from './content.ts';
export { type AuditEvent, type AuditVerification, auditEndpoints, auditEventSchema } from './contract.ts';
export { EVENT_TYPES, type EventType } from './event-types.ts';
