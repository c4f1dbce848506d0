import type { EventType } from './event-types.ts';

/** Replaces content that the reader may not see (AUDIT-10). */
export const HIDDEN = { hidden: true } as const;

/** By event type, every detail field that is known not to contain data or statements. */
const SHOWN: Record<EventType, readonly string[]> = {
  ACTIVITY_VIEWED: ['view', 'filters', 'rows_shown', 'others_shown', 'distinct_others', 'targeting_key'],
  AUDIT_LOG_SIGNED: ['reason', 'after_sequence', 'key_id'],
  AUTHORIZATION_DENIED: ['action', 'object', 'route', 'reason', 'run_id'],
  COLUMN_MASK_CREATED: ['column_mask_id', 'table_id', 'column', 'expression', 'principal', 'group'],
  COLUMN_MASK_DELETED: ['column_mask_id', 'table_id', 'column', 'expression', 'principal', 'group'],
  DEPLOY_FAILED: ['deploy_id', 'repository', 'ref', 'commit', 'dry_run', 'error'],
  DEPLOY_SUCCEEDED: ['deploy_id', 'repository', 'ref', 'commit', 'project_version_id', 'warnings'],
  ENVIRONMENT_CREATED: ['environment_id', 'name', 'protected'],
  ENVIRONMENT_DELETED: ['tables', 'purge_after', 'purge', 'revoked_policies', 'already_deleted'],
  ENVIRONMENT_PURGED: ['name', 'tables'],
  ENVIRONMENT_QUOTAS_SET: ['storage_bytes', 'concurrent_queries', 'previous'],
  ENVIRONMENT_RESTORED: ['tables', 'restored_policies', 'deleted_at'],
  ENVIRONMENT_RETENTION_SET: ['days', 'previous_days'],
  ENVIRONMENT_UPDATED: ['environment_id', 'changed', 'protected'],
  GRANT_CREATED: grantFields(),
  GRANT_REVOKED: grantFields(),
  GROUP_CREATED: ['group_id', 'name'],
  GROUP_DELETED: ['group_id', 'name'],
  GROUP_MEMBER_ADDED: ['group', 'principal'],
  GROUP_MEMBER_REMOVED: ['group', 'principal'],
  JOB_PAUSED: ['job', 'repository', 'next_run_at'],
  JOB_RESUMED: ['job', 'repository', 'next_run_at'],
  JOB_START_DROPPED: ['job', 'repository', 'trigger', 'reason', 'merged', 'scheduled_for'],
  NAMESPACE_CREATED: ['namespace_id', 'path', 'deploy_id'],
  NAMESPACE_DELETED: ['namespace_id', 'path'],
  NAMESPACE_UPDATED: ['changed'],
  ORPHANED_LOCATIONS_REMOVED: ['locations', 'files', 'bytes'],
  PACKAGE_INDEX_CREATED: ['name', 'url', 'credential_secret'],
  PACKAGE_INDEX_DELETED: ['name', 'url', 'unbound_secrets'],
  PACKAGE_INDEX_UPDATED: ['name', 'changed', 'url', 'credential_secret', 'previous'],
  POLICY_BROKEN: ['policy', 'policy_id', 'table_id', 'column', 'reason', 'created_by'],
  PRINCIPAL_CREATED: ['principal_id', 'name', 'type'],
  PRINCIPAL_DELETED: ['principal_id', 'name'],
  PRINCIPAL_UPDATED: ['principal_id', 'name', 'changed', 'active'],
  QUERY_COMPLETED: ['query_id', 'status', 'tables'],
  REPOSITORY_CREATED: ['repository_id', 'name', 'url', 'default_ref', 'folder', 'credential_secret'],
  REPOSITORY_DELETED: ['repository_id', 'name', 'unbound_secrets'],
  REPOSITORY_UPDATED: ['repository_id', 'name', 'changed', 'previous'],
  ROLLED_BACK: ['repository', 'project_version_id', 'previous'],
  ROW_FILTER_CREATED: ['row_filter_id', 'table_id', 'predicate', 'principal', 'group'],
  ROW_FILTER_DELETED: ['row_filter_id', 'table_id', 'predicate', 'principal', 'group'],
  RUN_AS_SET: ['repository', 'principal', 'previous'],
  RUN_ENDED: ['run_id', 'status'],
  RUN_STARTED: ['run_id', 'job', 'repository', 'trigger', 'scheduled_for', 'missed', 'merged'],
  SECRETS_REKEYED: ['secrets', 'key_id'],
  SECRET_BOUND: ['secret_id', 'name', 'use', 'index', 'repository', 'previous'],
  SECRET_CREATED: ['secret_id', 'name', 'use', 'index', 'repository'],
  SECRET_DELETED: ['secret_id', 'name'],
  SECRET_ROTATED: ['secret_id', 'name'],
  SIGNED_IN: ['token_id', 'expires_at'],
  SIGN_IN_FAILED: ['name', 'address', 'throttled'],
  TABLE_CREATED: ['table_id', 'name', 'kind', 'columns', 'location'],
  TABLE_DROPPED: ['reason', 'table_id', 'kind', 'purge_after', 'revoked_policies', 'retention'],
  TABLE_HELD: ['table_id', 'reason', 'until'],
  TABLE_MAINTAINED: [
    'table_id',
    'maintenance_id',
    'compacted_files',
    'new_files',
    'expired_snapshots',
    'removed_files',
    'snapshot_id',
  ],
  TABLE_PURGED: ['table_id', 'name', 'files', 'bytes'],
  TABLE_RELEASED: ['table_id'],
  TABLE_RETENTION_CLEARED: retentionFields(),
  TABLE_RETENTION_SET: retentionFields(),
  TABLE_ROLLED_BACK: ['table_id', 'snapshot_id', 'previous_snapshot_id'],
  TABLE_UNDROPPED: [
    'table_id',
    'name',
    'dropped_name',
    'dropped_at',
    'restored_policies',
    'retention_cleared',
    'reason',
  ],
  TABLE_UPDATED: ['table_id', 'changed', 'previous_name'],
  TABLE_WRITE: ['table_id', 'mode', 'rows', 'snapshot_id'],
  TOKEN_ISSUED: tokenFields(),
  TOKEN_REVOKED: tokenFields(),
  UNDEPLOYED: ['repository', 'project_version_id'],
  VIEW_CREATED: ['table_id', 'name', 'columns'],
  VIEW_UPDATED: ['table_id', 'name', 'columns', 'changed', 'previous_name'],
};

function grantFields(): string[] {
  const target = ['principal_id', 'group_id', 'principal', 'group'];
  return ['id', ...target, 'role', 'action', 'kind', 'environment', 'namespace', 'table', 'created_at', 'created_by'];
}

function retentionFields(): string[] {
  return ['table_id', 'days', 'on', 'shortened', 'previous', 'expires_at'];
}

function tokenFields(): string[] {
  return ['token_id', 'name', 'principal', 'kind', 'expires_at'];
}

/** Fields that any event may have in addition to its own. */
const ANYWHERE = ['break_glass'];

/**
 * The detail of another person's event for a reader without READ_QUERY_TEXT (AUDIT-10): a statement becomes its hash
 * and length, and any field that isn't classified as harmless is hidden. `sha256` returns lower-case hex of UTF-8
 * (AUDIT-11).
 */
export function hideContent(
  type: EventType,
  detail: Readonly<Record<string, unknown>>,
  sha256: (text: string) => string,
): Record<string, unknown> {
  // During a rolling upgrade, a newer version may have written an event type that this version doesn't know.
  const known: readonly string[] = SHOWN[type] ?? [];
  const shown = (field: string, value: unknown): unknown => {
    if (known.includes(field) || ANYWHERE.includes(field) || value === null) return value;
    if (type === 'QUERY_COMPLETED' && field === 'sql_text') {
      return typeof value === 'string' ? { sha256: sha256(value), length: [...value].length } : value;
    }
    return HIDDEN;
  };
  return Object.fromEntries(Object.entries(detail).map(([field, value]) => [field, shown(field, value)]));
}
