import * as z from 'zod';
import { hosts } from '../parsers/addresses.ts';
import { bool, countOrNone, localFolders, whole } from '../parsers/basic.ts';
import { limitBytes } from '../parsers/sizes.ts';
import type { Setting } from '../setting.ts';

/** Audit log, retention, quotas, and the repositories and webhook receivers that are allowed. */
export const governanceSettings = {
  allowLocalRepositories: {
    name: 'SVC_REPOSITORIES__ALLOW_LOCAL',
    read: localFolders,
    meaning: 'Local folders that may contain repositories, separated by commas',
    byDefault: 'none',
  },
  webhookAllowHosts: {
    name: 'SVC_WEBHOOKS__ALLOW_HOSTS',
    read: hosts,
    meaning: 'Non-public hosts and CIDRs that webhooks may call, separated by commas',
    byDefault: 'none',
  },
  viewAuditEnabled: {
    name: 'SVC_VIEW_AUDIT__ENABLED',
    read: bool(true),
    meaning: "Record an audit event when someone views other people's activity",
    byDefault: 'true',
  },
  viewAuditWindowMinutes: {
    name: 'SVC_VIEW_AUDIT__WINDOW_MINUTES',
    read: whole(1, 1440, 60),
    meaning: 'Minutes in which repeated views are recorded as one event',
    byDefault: '60',
  },
  auditQueryText: {
    name: 'SVC_AUDIT__QUERY_TEXT',
    read: z.enum(['full', 'hash', 'off'], { error: 'must be full, hash or off' }).default('full'),
    meaning: 'What the audit log stores of SQL statements: full (the text), hash (SHA-256 and length) or off (neither)',
    byDefault: 'full',
  },
  auditAdoptUnsigned: {
    name: 'SVC_AUDIT__ADOPT_UNSIGNED',
    read: bool(true),
    meaning:
      'Sign an audit log that was sealed without signatures (before 0.2) as it is; set it to false once svc audit verify shows a signature',
    byDefault: 'true',
  },
  auditArchiveAfterMonths: {
    name: 'SVC_AUDIT__ARCHIVE_AFTER_MONTHS',
    read: countOrNone(1200, 0),
    meaning:
      'Whole months after which events of the audit log move from the database to the storage of the instance; 0 keeps all in the database',
    byDefault: '0',
  },
  undoDays: {
    name: 'SVC_TABLES__UNDO_DAYS',
    read: whole(0, 365, 7),
    meaning: 'Days in which a drop can be undone',
    byDefault: '7',
  },
  maxExpiriesPerSweep: {
    name: 'SVC_TABLES__MAX_EXPIRIES_PER_SWEEP',
    read: whole(1, 1_000_000, 100),
    meaning: 'Maximum number of expired tables that one sweep drops',
    byDefault: '100',
  },
  expiryWarningDays: {
    name: 'SVC_TABLES__EXPIRY_WARNING_DAYS',
    read: whole(1, 3650, 7),
    meaning: 'Days before its expiry from which a table is shown as expires_soon',
    byDefault: '7',
  },
  tableReadsKeepDays: {
    name: 'SVC_TABLE_READS__KEEP_DAYS',
    read: whole(1, 3650, 90),
    meaning: 'Days for which recorded reads are retained',
    byDefault: '90',
  },
  quotaStorage: {
    name: 'SVC_QUOTA__STORAGE',
    read: limitBytes,
    meaning: 'Maximum storage of the tables and artifacts of an environment without its own quota, such as 100GB',
    byDefault: 'no limit',
  },
  quotaConcurrentQueries: {
    name: 'SVC_QUOTA__CONCURRENT_QUERIES',
    read: countOrNone(100_000, 0),
    meaning:
      'Maximum number of concurrent queries of an environment without its own quota; further ones wait; 0: no limit',
    byDefault: '0',
  },
} as const satisfies Record<string, Setting>;
