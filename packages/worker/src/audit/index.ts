export { addAuditMonths } from './add-audit-months.ts';
export { archiveAuditLog } from './archive-audit-log.ts';
export { sealAuditLog } from './seal-audit-log.ts';
