export { type AuditEvent, auditEndpoints, auditEventSchema } from './contract.ts';
export { EVENT_TYPES, type EventType } from './event-types.ts';
