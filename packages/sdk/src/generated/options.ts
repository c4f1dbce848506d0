// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import type { BodyOf } from '../routes.ts';

/** Options of `accessRequests.list`. */
export interface AccessRequestFilters extends CallOptions {
  state?: string | undefined;
  principal?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `audit.list`. */
export interface AuditFilters extends CallOptions {
  event_type?: string | undefined;
  principal_id?: string | undefined;
  environment?: string | undefined;
  /** Name of a namespace when the event was recorded: it and its tables. */
  namespace?: string | undefined;
  /** Name of a table of the namespace when the event was recorded. */
  table?: string | undefined;
  /** X-Request-Id of the request that caused the event. */
  request_id?: string | undefined;
  since?: Date | string | undefined;
  until?: Date | string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `deploys.list`. */
export interface DeployFilters extends CallOptions {
  repository?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `search.find`. */
export interface FindOptions extends CallOptions {
  /** One or more, repeated or separated by commas. */
  kind?: string | readonly string[] | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `grants.list`. */
export interface GrantFilters extends CallOptions {
  principal_name?: string | undefined;
  group_name?: string | undefined;
  action?: string | undefined;
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  service_account?: string | undefined;
  /** only grants that were created before this time and have allowed nothing since. */
  unused_since?: Date | string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `tokens.issue`. */
export interface IssueTokenOptions extends CallOptions {
  expires_at?: Date | string | undefined;
  /** environments in which the token works (default: wherever its principal has permissions). */
  environments?: readonly string[] | undefined;
  /** actions that the token carries at most (default: all that its principal has). */
  actions?: readonly string[] | undefined;
}

/** Options of `tables.maintain`. Fields as on the wire or in camel case. */
export interface MaintainOptions {
  compact?: boolean | undefined;
  expire_snapshots_older_than_days?: number | undefined;
  expireSnapshotsOlderThanDays?: number | undefined;
  /** Columns by which compaction sorts the rows of all data files, ascending, nulls last. */
  sort_by?: readonly string[] | undefined;
  sortBy?: readonly string[] | undefined;
  /** Columns for which compaction writes bloom filters into all data files. */
  bloom_filters?: readonly string[] | undefined;
  bloomFilters?: readonly string[] | undefined;
}

/** Options of `principals.objects`. */
export interface ObjectsOptions extends CallOptions {
  action?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `projectVersions.list`. */
export interface ProjectVersionFilters extends CallOptions {
  repository?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `queries.list`. */
export interface QueryFilters extends CallOptions {
  include_ended?: boolean | undefined;
  /** One or more, repeated or separated by commas (case-insensitive). */
  status?: string | readonly string[] | undefined;
  submitter?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `runs.list`. */
export interface RunFilters extends CallOptions {
  repository?: string | undefined;
  /** One or more, repeated or separated by commas (case-insensitive). */
  status?: string | readonly string[] | undefined;
  /** One or more, repeated or separated by commas. */
  trigger?: string | readonly string[] | undefined;
  job?: string | undefined;
  since?: Date | string | undefined;
  until?: Date | string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `savedQueries.list`. */
export interface SavedQueryFilters extends CallOptions {
  /** Case-insensitive text that the name, the description or the statement contains. */
  search?: string | undefined;
  name?: string | undefined;
  owner?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `principals.permissions`. */
export interface ScopeOptions {
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  service_account?: string | undefined;
  /** a time in the past (default: now). */
  at?: Date | string | undefined;
}

/** Options of `principals.list` and `groups.list`. */
export interface SearchOptions extends CallOptions {
  /** Case-insensitive text that the name contains; if blank, all are listed. */
  search?: string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `secrets.create` and `secrets.bind`. */
export type SecretTarget = BodyOf<'secrets.bind'>;

/** Options of `tables.undrop`. Fields as on the wire or in camel case. */
export interface UndropOptions {
  new_name?: string | undefined;
  newName?: string | undefined;
  id?: string | undefined;
}

/** Options of `access.who`. */
export interface WhoOptions extends CallOptions {
  /** Case-insensitive. */
  action: string;
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  service_account?: string | undefined;
  /** a time in the past (default: now). */
  at?: Date | string | undefined;
  /** Rows per page, 1 to 200 (default: 100). */
  limit?: number | undefined;
  /** X-Next-Cursor of the previous page, with the same filters and limit. */
  cursor?: string | undefined;
}

/** Options of `tables.expiring`. Fields as on the wire or in camel case. */
export interface WithinOptions {
  /** Days from now (default: SVC_TABLES__EXPIRY_WARNING_DAYS). */
  within_days?: number | undefined;
  withinDays?: number | undefined;
}
