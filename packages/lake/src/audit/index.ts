export { AuditArchive, type WrittenArchive } from './audit-archive.ts';
export type { ArchivedEvent, EventPage } from './event-columns.ts';
