// The types of audit events.
import { EVENT_TYPES } from '../../packages/core/src/audit/index.ts';
import { page, table, textsFor } from './markdown/table.mjs';

/** Type → when it is written, and fields of `detail` worth naming. */
const TEXTS = {
  ACTIVITY_VIEWED: [
    "someone viewed other people's queries, reads or events",
    '`view`, `filters`, `rows_shown`, `others_shown`, `distinct_others`, `targeting_key`',
  ],
  AUDIT_LOG_SIGNED: [
    'a log head without a signature, or with one from another key, was signed; events up to `after_sequence` are accepted as found; no principal',
    '`reason`: `upgrade` (the log was sealed before signatures existed), `rekey` (the key changed) or `operator` (`svc-admin audit accept`); `after_sequence`, `key_id`',
  ],
  AUTHORIZATION_DENIED: [
    'a request was denied',
    '`action`, `object`, `route`, `reason`; within a run also `run_id` (`route` is empty for a scheduled run)',
  ],
  COLUMN_MASK_CREATED: [
    'a column mask was created',
    '`column_mask_id`, `table_id`, `column`, `expression`, `principal`, `group`',
  ],
  COLUMN_MASK_DELETED: ['a column mask was deleted', 'as for `COLUMN_MASK_CREATED`'],
  DEPLOY_FAILED: ['a deploy was rejected or failed', '`deploy_id`, `repository`, `ref`, `commit`, `dry_run`, `error`'],
  DEPLOY_SUCCEEDED: [
    'a deploy activated a project version',
    '`deploy_id`, `repository`, `ref`, `commit`, `project_version_id`, `warnings`',
  ],
  ENVIRONMENT_CREATED: ['an environment was created', '`environment_id`, `name`, `protected`'],
  ENVIRONMENT_DELETED: [
    'an environment was deleted',
    '`tables`, `purge_after`, `purge`, `revoked_policies` (the grants, filters and masks revoked with it)',
  ],
  ENVIRONMENT_PURGED: ['the sweep removed a deleted environment; no principal', '`name`, `tables`'],
  ENVIRONMENT_QUOTAS_SET: [
    "an environment's quotas changed",
    '`storage_bytes`, `concurrent_queries` (null: the default of the operator), `previous`',
  ],
  ENVIRONMENT_RESTORED: ['an environment was restored', '`tables`, `restored_policies`, `deleted_at`'],
  ENVIRONMENT_RETENTION_SET: ["an environment's retention changed", '`days`, `previous_days`'],
  ENVIRONMENT_UPDATED: [
    'the description or protection of an environment changed',
    '`environment_id`, `changed`, `protected`',
  ],
  GRANT_CREATED: ['a grant was created', 'the fields of the grant'],
  GRANT_REVOKED: ['a grant was revoked', 'the fields of the grant'],
  GROUP_CREATED: ['a group was created', '`group_id`, `name`'],
  GROUP_DELETED: ['a group was deleted', '`group_id`, `name`'],
  GROUP_MEMBER_ADDED: ['a principal was added to a group', '`group`, `principal`'],
  GROUP_MEMBER_REMOVED: ['a principal was removed from a group', '`group`, `principal`'],
  JOB_PAUSED: ["a job's schedule was paused", '`job`, `repository`, `next_run_at`'],
  JOB_RESUMED: ["a job's schedule was resumed", '`job`, `repository`, `next_run_at`'],
  JOB_START_DROPPED: [
    'a scheduled or queued start was dropped',
    '`job`, `repository`, `trigger`, `reason`, `merged`, `scheduled_for`',
  ],
  NAMESPACE_CREATED: ['a namespace was created', '`namespace_id`, `path`'],
  NAMESPACE_DELETED: ['a namespace was dropped', '`namespace_id`, `path`'],
  NAMESPACE_UPDATED: ['the description of a namespace changed', '`changed`'],
  ORPHANED_LOCATIONS_REMOVED: ['orphaned folders were removed from storage', '`locations`, `files`, `bytes`'],
  PACKAGE_INDEX_CREATED: ['a package index was registered', '`name`, `url`, `credential_secret`'],
  PACKAGE_INDEX_DELETED: [
    'a package index was removed',
    '`name`, `url`, `unbound_secrets` (`environment` and `name` of each secret that was bound to it)',
  ],
  PACKAGE_INDEX_UPDATED: ['a package index changed', '`name`, `changed`, `url`, `credential_secret`, `previous`'],
  POLICY_BROKEN: [
    "a query failed because a policy can't be applied: its column was renamed, replaced or dropped, or its expression isn't a single scalar expression; no principal; recorded once until the policy works again",
    '`policy` (`row_filter` or `column_mask`), `policy_id`, `table_id`, `column`, `reason`, `created_by` (the author of the policy)',
  ],
  PRINCIPAL_CREATED: ['a principal was created', '`principal_id`, `name`, `type`'],
  PRINCIPAL_DELETED: ['a principal was deleted', '`principal_id`, `name`'],
  PRINCIPAL_UPDATED: [
    'a principal was activated or deactivated, or its password was set',
    '`principal_id`, `name`, `changed`, `active`',
  ],
  QUERY_COMPLETED: ['a query finished, failed or was cancelled', '`query_id`, `status`, `sql_text`, `tables`'],
  REPOSITORY_CREATED: [
    'a repository was registered',
    '`repository_id`, `name`, `url`, `default_ref`, `folder`, `credential_secret`',
  ],
  REPOSITORY_DELETED: [
    'a repository was removed',
    '`repository_id`, `name`, `unbound_secrets` as for `PACKAGE_INDEX_DELETED`',
  ],
  REPOSITORY_UPDATED: ['a repository changed', '`repository_id`, `name`, `changed`, `previous`'],
  ROLLED_BACK: ['a deployment was rolled back to an earlier version', '`repository`, `project_version_id`, `previous`'],
  ROW_FILTER_CREATED: ['a row filter was created', '`row_filter_id`, `table_id`, `predicate`, `principal`, `group`'],
  ROW_FILTER_DELETED: ['a row filter was deleted', 'as for `ROW_FILTER_CREATED`'],
  RUN_AS_SET: ["a deployment's run principal was set or removed", '`repository`, `principal`, `previous`'],
  RUN_ENDED: ['a run finished, failed or was cancelled', '`run_id`, `status`'],
  RUN_STARTED: ['a run started', '`run_id`, `job`, `repository`, `trigger`, `scheduled_for`, `missed`, `merged`'],
  SECRETS_REKEYED: ['`svc-admin` encrypted the secrets with the current key; no principal', '`secrets`, `key_id`'],
  SECRET_BOUND: ['a secret was bound to its use', '`secret_id`, `name`, `use`, `index`, `repository`, `previous`'],
  SECRET_CREATED: ['a secret was created', '`secret_id`, `name`, `use`, `index`, `repository`'],
  SECRET_DELETED: ['a secret was revoked', '`secret_id`, `name`'],
  SECRET_ROTATED: ['a secret was rotated', '`secret_id`, `name`'],
  SIGNED_IN: ['a person signed in', '`token_id`, `expires_at`'],
  SIGN_IN_FAILED: [
    'a sign-in failed, or was the first to be throttled after too many failures; no principal',
    '`name` if a person with that name exists (any other input could be a password), `address`, `throttled`',
  ],
  TABLE_CREATED: ['a table or artifact was created', '`table_id`, `name`, `kind`, `columns`, `location`'],
  TABLE_DROPPED: ['a table was dropped', '`reason`, `table_id`, `kind`, `purge_after`, `revoked_policies`'],
  TABLE_HELD: ['a legal hold was placed on a table', '`table_id`, `reason`, `until`'],
  TABLE_MAINTAINED: [
    'a table was compacted, its snapshots expired, or unused files were removed; no principal for automatic maintenance',
    '`table_id`, `maintenance_id`, `compacted_files`, `new_files`, `expired_snapshots`, `removed_files`, `snapshot_id`',
  ],
  TABLE_PURGED: ["the sweep deleted a table's files; no principal", '`table_id`, `name`, `files`, `bytes`'],
  TABLE_RELEASED: ['the legal hold on a table was released', '`table_id`'],
  TABLE_RETENTION_CLEARED: ["a table's retention was set to never", 'as for `TABLE_RETENTION_SET`'],
  TABLE_RETENTION_SET: [
    "a table's retention was set",
    '`table_id`, `days`, `on`, `shortened`, `previous`, `expires_at`',
  ],
  TABLE_ROLLED_BACK: [
    'a table was rolled back to an older snapshot',
    '`table_id`, `snapshot_id`, `previous_snapshot_id`',
  ],
  TABLE_UNDROPPED: [
    'a table was restored',
    '`table_id`, `name`, `dropped_name`, `dropped_at`, `restored_policies`, `retention_cleared`, `reason`',
  ],
  TABLE_UPDATED: [
    'the description, owner or name of a table changed, or an engine changed its metadata',
    '`table_id`, `changed`; after a rename `previous_name`',
  ],
  TABLE_WRITE: [
    'rows were written to a table, or the file of an artifact was written',
    '`table_id`, `mode`, `rows`, `snapshot_id`, `watermark`',
  ],
  TOKEN_ISSUED: [
    'a token was issued (the event never contains the token)',
    '`token_id`, `name`, `principal`, `kind`, `expires_at`',
  ],
  TOKEN_REVOKED: ['a token was revoked', '`token_id`, `name`, `principal`, `kind`'],
  UNDEPLOYED: ['a project was undeployed', '`repository`, `project_version_id`'],
  VIEW_CREATED: ['a view was created', '`table_id`, `name`, `columns`'],
  VIEW_UPDATED: [
    'a view was rebuilt, replaced or renamed',
    '`table_id`, `name`, `columns`; after a rename `changed`, `previous_name`',
  ],
};

function rows() {
  const texts = textsFor(EVENT_TYPES, TEXTS, 'scripts/generate/events.mjs');
  return EVENT_TYPES.map((type) => [`\`${type}\``, ...texts[type]]);
}

export default [
  {
    file: 'docs/reference/events.md',
    generate: () =>
      page(
        'Events',
        'Every change writes its event in the same transaction, so there is no change without an event and no event without a change. See [audit](../guide/audit.md) for how to read them.',
        'An event is `{id, sequence, time, type, principal, principal_id, object, request_id, detail}`. `object` is `{kind, environment, namespace, table}`, with names. No event contains a credential. A break-glass change in a protected environment has its reason in the `break_glass` field of `detail`.',
        'The list is closed. Events of features that a version does not have yet never occur in it.',
        table(['Type', 'Written when', 'In `detail`'], rows()),
      ),
  },
];
