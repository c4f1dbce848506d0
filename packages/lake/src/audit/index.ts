export { AuditArchive, type EventPage, type WrittenArchive } from './audit-archive.ts';
export type { ArchivedEvent } from './event-columns.ts';
