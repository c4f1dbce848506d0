import type { EventDefinition } from './definition.ts';

/** Events of environments, their secrets and package indexes. */
export const ENVIRONMENT_EVENTS = {
  ENVIRONMENT_CREATED: {
    recorded: 'an environment was created',
    fields: ['environment_id', 'name', 'protected'],
  },
  ENVIRONMENT_DELETED: {
    recorded: 'an environment was deleted',
    fields: ['tables', 'purge_after', 'purge', 'revoked_policies', 'already_deleted'],
    notes: {
      revoked_policies: 'the grants, filters and masks revoked with it',
      already_deleted: 'if it was deleted before and is now purged',
    },
  },
  ENVIRONMENT_PURGED: {
    recorded: 'the sweep removed a deleted environment; no principal',
    fields: ['name', 'tables'],
  },
  ENVIRONMENT_QUOTAS_SET: {
    recorded: "an environment's quotas changed",
    fields: ['storage_bytes', 'concurrent_queries', 'previous'],
    notes: {
      storage_bytes: 'null: the default of the operator',
      concurrent_queries: 'null: the default of the operator',
    },
  },
  ENVIRONMENT_RESTORED: {
    recorded: 'an environment was restored',
    fields: ['tables', 'restored_policies', 'deleted_at'],
  },
  ENVIRONMENT_RETENTION_SET: {
    recorded: "an environment's retention changed",
    fields: ['days', 'previous_days'],
  },
  ENVIRONMENT_UPDATED: {
    recorded: 'the description or protection of an environment changed',
    fields: ['environment_id', 'changed', 'protected'],
  },
  PACKAGE_INDEX_CREATED: {
    recorded: 'a package index was registered',
    fields: ['name', 'url', 'credential_secret'],
  },
  PACKAGE_INDEX_DELETED: {
    recorded: 'a package index was removed',
    fields: ['name', 'url', 'unbound_secrets'],
    notes: { unbound_secrets: '`environment` and `name` of each secret that was bound to it' },
  },
  PACKAGE_INDEX_UPDATED: {
    recorded: 'a package index changed',
    fields: ['name', 'changed', 'url', 'credential_secret', 'previous'],
  },
  SECRETS_REKEYED: {
    recorded: '`svc-admin` encrypted the secrets with the current key; no principal',
    fields: ['secrets', 'key_id'],
  },
  SECRET_BOUND: {
    recorded: 'a secret was bound to its use',
    fields: ['secret_id', 'name', 'use', 'index', 'repository', 'previous'],
  },
  SECRET_CREATED: {
    recorded: 'a secret was created',
    fields: ['secret_id', 'name', 'use', 'index', 'repository'],
  },
  SECRET_DELETED: {
    recorded: 'a secret was revoked',
    fields: ['secret_id', 'name'],
  },
  SECRET_ROTATED: {
    recorded: 'a secret was rotated',
    fields: ['secret_id', 'name'],
  },
} satisfies Record<string, EventDefinition>;
