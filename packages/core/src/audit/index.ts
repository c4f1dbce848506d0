export type { ArchivedEvent, ArchivePage, EventArchive } from './archive.ts';
export { HIDDEN, hideContent } from './content.ts';
export { type AuditEvent, type AuditVerification, auditEndpoints, auditEventSchema } from './contract.ts';
export { eventText } from './event-text.ts';
export { EVENT_TYPES, EVENTS, type EventType } from './event-types.ts';
export { type FormerHead, type HeadContent, headText, readFormerHead, type SignedHead } from './signed-head.ts';
