export { AuditArchive, type WrittenArchive } from './audit-archive.ts';
