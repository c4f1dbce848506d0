// The types of audit events.
import { EVENT_TYPES } from '../../packages/core/src/audit/index.ts';
import { page, table, textsFor } from './markdown/table.mjs';

/** Type → when it is written, and fields of `detail` worth naming. */
const TEXTS = {
  ACTIVITY_VIEWED: [
    "somebody looked at other people's queries, reads or events",
    '`view`, `filters`, `rows_shown`, `others_shown`, `distinct_others`, `targeting_key`',
  ],
  AUDIT_LOG_SIGNED: [
    'the head of a log that had no signature, or one with another key, was signed, up to the event `after_sequence` as the log was found; no person',
    '`reason`: `upgrade` (sealed before without signatures), `rekey` (with the current key) or `operator` (`svc-admin audit accept`); `after_sequence`, `key_id`',
  ],
  AUTHORIZATION_DENIED: [
    'any refusal',
    '`action`, `object`, `route`, `reason`; met in a run also `run_id`, and `route` is empty of a scheduled one',
  ],
  COLUMN_MASK_CREATED: [
    'a column mask begins to apply',
    '`column_mask_id`, `table_id`, `column`, `expression`, `principal`, `group`',
  ],
  COLUMN_MASK_DELETED: ['a column mask ends', 'as COLUMN_MASK_CREATED'],
  DEPLOY_FAILED: ['a deploy was refused or failed', '`deploy_id`, `repository`, `ref`, `commit`, `dry_run`, `error`'],
  DEPLOY_SUCCEEDED: [
    'a deploy made a project version the deployed one',
    '`deploy_id`, `repository`, `ref`, `commit`, `project_version_id`, `warnings`',
  ],
  ENVIRONMENT_CREATED: ['an environment was created', '`environment_id`, `name`, `protected`'],
  ENVIRONMENT_DELETED: [
    'an environment was deleted',
    '`tables`, `purge_after`, `purge`, `revoked_policies` (grants, filters and masks that end with it)',
  ],
  ENVIRONMENT_PURGED: ['the sweep removed a deleted environment; no person', '`name`, `tables`'],
  ENVIRONMENT_QUOTAS_SET: [
    "an environment's quotas changed; null: the operator's limit",
    '`storage_bytes`, `concurrent_queries`, `previous`',
  ],
  ENVIRONMENT_RESTORED: ['an environment was restored', '`tables`, `restored_policies`, `deleted_at`'],
  ENVIRONMENT_RETENTION_SET: ["an environment's retention changed", '`days`, `previous_days`'],
  ENVIRONMENT_UPDATED: [
    'an environment was described, protected or unprotected',
    '`environment_id`, `changed`, `protected`',
  ],
  GRANT_CREATED: ['a grant was made', "the grant's fields"],
  GRANT_REVOKED: ['a grant was revoked', "the grant's fields"],
  GROUP_CREATED: ['a group was created', '`group_id`, `name`'],
  GROUP_DELETED: ['a group was deleted', '`group_id`, `name`'],
  GROUP_MEMBER_ADDED: ['a principal joined a group', '`group`, `principal`'],
  GROUP_MEMBER_REMOVED: ['a principal left a group', '`group`, `principal`'],
  JOB_PAUSED: ["a job's schedule was paused", '`job`, `repository`, `next_run_at`'],
  JOB_RESUMED: ["a job's schedule was resumed", '`job`, `repository`, `next_run_at`'],
  JOB_START_DROPPED: [
    'a booked or waiting start is not run',
    '`job`, `repository`, `trigger`, `reason`, `merged`, `scheduled_for`',
  ],
  NAMESPACE_CREATED: ['a namespace was created', '`namespace_id`, `path`'],
  NAMESPACE_DELETED: ['a namespace was dropped', '`namespace_id`, `path`'],
  NAMESPACE_UPDATED: ['a namespace was described', '`changed`'],
  ORPHANED_LOCATIONS_REMOVED: ['folders in storage that no record names were removed', '`locations`, `files`, `bytes`'],
  PACKAGE_INDEX_CREATED: ['a package index was registered', '`name`, `url`, `credential_secret`'],
  PACKAGE_INDEX_DELETED: [
    'a package index was removed',
    '`name`, `url`, `unbound_secrets` (`environment` and `name` of the secrets that were bound to it)',
  ],
  PACKAGE_INDEX_UPDATED: ['a package index changed', '`name`, `changed`, `url`, `credential_secret`, `previous`'],
  POLICY_BROKEN: [
    "a query was refused because a policy can't be applied: its column was renamed, replaced or dropped, or it isn't one scalar expression; no person, and once until the policy applies again",
    '`policy` (`row_filter` or `column_mask`), `policy_id`, `table_id`, `column`, `reason`, `created_by` (who made the policy)',
  ],
  PRINCIPAL_CREATED: ['a principal was created', '`principal_id`, `name`, `type`'],
  PRINCIPAL_DELETED: ['a principal was deleted', '`principal_id`, `name`'],
  PRINCIPAL_UPDATED: [
    'a principal was activated, deactivated or given a password',
    '`principal_id`, `name`, `changed`, `active`',
  ],
  QUERY_COMPLETED: ['a query ended', '`query_id`, `status`, `sql_text`, `tables`'],
  REPOSITORY_CREATED: [
    'a repository was registered',
    '`repository_id`, `name`, `url`, `default_ref`, `folder`, `credential_secret`',
  ],
  REPOSITORY_DELETED: ['a repository was removed', '`repository_id`, `name`, `unbound_secrets` as of a package index'],
  REPOSITORY_UPDATED: ['a repository changed', '`repository_id`, `name`, `changed`, `previous`'],
  ROLLED_BACK: ['a deployment went back to an earlier version', '`repository`, `project_version_id`, `previous`'],
  ROW_FILTER_CREATED: [
    'a row filter begins to apply',
    '`row_filter_id`, `table_id`, `predicate`, `principal`, `group`',
  ],
  ROW_FILTER_DELETED: ['a row filter ends', 'as ROW_FILTER_CREATED'],
  RUN_AS_SET: ["a deployment's run principal was bound or taken away", '`repository`, `principal`, `previous`'],
  RUN_ENDED: ['a run ended', '`run_id`, `status`'],
  RUN_STARTED: ['a run began', '`run_id`, `job`, `repository`, `trigger`, `scheduled_for`, `missed`, `merged`'],
  SECRETS_REKEYED: ['secrets were sealed with the current key, by `svc-admin`; no person', '`secrets`, `key_id`'],
  SECRET_BOUND: ['a secret was bound to its one use', '`secret_id`, `name`, `use`, `index`, `repository`, `previous`'],
  SECRET_CREATED: ['a secret was created', '`secret_id`, `name`, `use`, `index`, `repository`'],
  SECRET_DELETED: ['a secret was revoked', '`secret_id`, `name`'],
  SECRET_ROTATED: ['a secret was set again', '`secret_id`, `name`'],
  SIGNED_IN: ['somebody signed in', '`token_id`, `expires_at`'],
  SIGN_IN_FAILED: [
    'a sign-in failed, or was the first to be refused because of too many failures; no person',
    '`name` where there is a person of that name (what else was typed may be a password), `address`, `throttled`',
  ],
  TABLE_CREATED: ['a table or artifact was created', '`table_id`, `name`, `kind`, `columns`, `location`'],
  TABLE_DROPPED: ['a table was dropped', '`reason`, `table_id`, `kind`, `purge_after`, `revoked_policies`'],
  TABLE_HELD: ['a table was held back from deletion', '`table_id`, `reason`, `until`'],
  TABLE_MAINTAINED: [
    'a table was compacted, its snapshots expired, or leftover files removed; no person where the service did it by itself',
    '`table_id`, `maintenance_id`, `compacted_files`, `new_files`, `expired_snapshots`, `removed_files`, `snapshot_id`',
  ],
  TABLE_PURGED: ["the sweep deleted a table's files; no person", '`table_id`, `name`, `files`, `bytes`'],
  TABLE_RELEASED: ['a hold on a table ended', '`table_id`'],
  TABLE_RETENTION_CLEARED: ["a table's retention was set to never", 'as TABLE_RETENTION_SET'],
  TABLE_RETENTION_SET: [
    "a table's retention was set",
    '`table_id`, `days`, `on`, `shortened`, `previous`, `expires_at`',
  ],
  TABLE_ROLLED_BACK: [
    'an older snapshot of a table was made the current one',
    '`table_id`, `snapshot_id`, `previous_snapshot_id`',
  ],
  TABLE_UNDROPPED: [
    'a table was restored',
    '`table_id`, `name`, `dropped_name`, `dropped_at`, `restored_policies`, `retention_cleared`, `reason`',
  ],
  TABLE_UPDATED: [
    'a table was described, got another owner or name, or an engine changed more than its rows',
    '`table_id`, `changed`, after a rename `previous_name`',
  ],
  TABLE_WRITE: [
    'rows were written into a table, or the file of an artifact',
    '`table_id`, `mode`, `rows`, `snapshot_id`, `watermark`',
  ],
  TOKEN_ISSUED: ['a token was issued; never its text', '`token_id`, `name`, `principal`, `kind`, `expires_at`'],
  TOKEN_REVOKED: ['a token was revoked', '`token_id`, `name`, `principal`, `kind`'],
  UNDEPLOYED: ['a project was undeployed', '`repository`, `project_version_id`'],
  VIEW_CREATED: ['a view was created', '`table_id`, `name`, `columns`'],
  VIEW_UPDATED: [
    'a view was built anew, replaced or renamed',
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
        'Every change writes its event in its own transaction: there is no change without its event, and no event without its change. How to read them is told in [audit](../guide/audit.md).',
        'An event is `{id, sequence, time, type, principal, principal_id, object, request_id, detail}`. `object` is `{kind, environment, namespace, table}`, with names. No event holds a credential. `break_glass` with the reason stands in the detail of a change that broke the glass of a protected environment.',
        'The list is closed; the event of a part that a version does not have yet cannot occur in it.',
        table(['Type', 'Written when', 'In `detail`'], rows()),
      ),
  },
];
