import type { EventDefinition } from './definition.ts';

const COLUMN_MASK = ['column_mask_id', 'table_id', 'column', 'expression', 'principal', 'group'];
const GRANT = [
  'id',
  'principal_id',
  'group_id',
  'principal',
  'group',
  'role',
  'action',
  'kind',
  'environment',
  'namespace',
  'table',
  'created_at',
  'created_by',
  'expires_at',
  'service_account',
];
const IDENTITY = ['principal', 'provider', 'subject'];
const IDENTITY_PROVIDER = [
  'provider_id',
  'name',
  'issuer',
  'client_id',
  'has_client_secret',
  'scopes',
  'link_by',
  'create_people',
  'email_domains',
  'groups_claim',
  'groups',
  'scim_account',
  'active',
];
const SECOND_FACTOR = ['principal', 'second_factor_id', 'name', 'kind'];
const PROVISIONED = { provider: 'if it was this identity provider, with SCIM' };
const ROW_FILTER = ['row_filter_id', 'table_id', 'predicate', 'principal', 'group'];

const ACCESS_REQUEST = ['access_request_id', 'principal', 'role', 'action', 'reason', 'expires_at'];

const WORKLOAD_IDENTITY = [
  ...['workload_identity_id', 'principal', 'issuer', 'audience', 'subject', 'claims'],
  ...['environments', 'actions'],
];

/** Events of sign-in, principals, grants and policies, and of the audit log itself. */
export const ACCESS_EVENTS = {
  ACCESS_REQUESTED: {
    recorded: 'someone requested a role or an action on the object',
    fields: ACCESS_REQUEST,
  },
  ACCESS_REQUEST_APPROVED: {
    recorded: 'a request for access was approved',
    fields: [...ACCESS_REQUEST, 'comment', 'grant_id'],
    notes: { grant_id: 'the grant, which has its own event unless it was already active' },
  },
  ACCESS_REQUEST_REJECTED: {
    recorded: 'a request for access was rejected',
    fields: [...ACCESS_REQUEST, 'comment'],
  },
  ACCESS_REQUEST_WITHDRAWN: {
    recorded: 'someone withdrew a request for access of theirs',
    fields: ACCESS_REQUEST,
  },
  ACTIVITY_VIEWED: {
    recorded: "someone viewed other people's queries, reads or events",
    fields: ['view', 'filters', 'rows_shown', 'others_shown', 'distinct_others', 'targeting_key'],
  },
  AUDIT_LOG_ARCHIVED: {
    recorded: 'events moved from the database to the archive of the audit log; no principal',
    fields: ['since', 'until', 'rows', 'first_sequence', 'last_sequence', 'last_hash', 'size_bytes'],
    notes: {
      since: 'the time of the first event',
      until: 'all events are before this time',
      last_hash: 'the hash of the event `last_sequence` in the chain',
      size_bytes: 'the size of the files',
    },
  },
  AUDIT_LOG_SIGNED: {
    recorded:
      'a log head without a signature, or with one from another key, was signed; events up to `after_sequence` are accepted as found; no principal',
    fields: ['reason', 'after_sequence', 'key_id'],
    notes: {
      reason:
        '`upgrade`: the log was sealed before signatures existed; `rekey`: the key changed; or `operator`: `svc-admin audit accept`',
    },
  },
  AUTHORIZATION_DENIED: {
    recorded: 'a request was denied',
    fields: ['action', 'object', 'route', 'reason', 'run_id'],
    notes: { route: 'empty for a scheduled run', run_id: 'within a run' },
  },
  COLUMN_MASK_CREATED: {
    recorded: 'a column mask was created',
    fields: COLUMN_MASK,
  },
  COLUMN_MASK_DELETED: {
    recorded: 'a column mask was deleted',
    fields: COLUMN_MASK,
  },
  GRANT_CREATED: {
    recorded: 'a grant was created',
    fields: GRANT,
  },
  GRANT_EXPIRED: {
    recorded: 'the sweep found a grant that has expired; no principal. The grant allowed nothing from `expires_at` on',
    fields: GRANT,
  },
  GRANT_REVOKED: {
    recorded: 'a grant was revoked',
    fields: GRANT,
  },
  GROUP_CREATED: {
    recorded: 'a group was created',
    fields: ['group_id', 'name', 'provider'],
    notes: PROVISIONED,
  },
  GROUP_DELETED: {
    recorded: 'a group was deleted',
    fields: ['group_id', 'name', 'provider'],
    notes: PROVISIONED,
  },
  GROUP_MEMBER_ADDED: {
    recorded: 'a principal was added to a group',
    fields: ['group', 'principal', 'provider'],
    notes: { provider: 'if the membership follows a claim of this identity provider, or it was added with SCIM' },
  },
  GROUP_MEMBER_REMOVED: {
    recorded: 'a principal was removed from a group',
    fields: ['group', 'principal', 'provider'],
    notes: { provider: 'if the membership followed a claim of this identity provider, or it was removed with SCIM' },
  },
  IDENTITY_LINKED: {
    recorded: 'a person was linked to a subject of an identity provider',
    fields: [...IDENTITY, 'by'],
    notes: {
      by: '`administrator`, `verified-email`, `scim` or `new-person`; the latter three at a first sign-in, with the person as the principal of the event',
    },
  },
  IDENTITY_PROVIDER_CREATED: {
    recorded: 'an identity provider was registered (the event never contains the client secret)',
    fields: IDENTITY_PROVIDER,
  },
  IDENTITY_PROVIDER_DELETED: {
    recorded: 'an identity provider was deleted with its identities and the memberships that came from it',
    fields: ['provider_id', 'name', 'issuer'],
  },
  IDENTITY_PROVIDER_UPDATED: {
    recorded: 'an identity provider changed (the event never contains the client secret)',
    fields: [...IDENTITY_PROVIDER, 'changed'],
  },
  IDENTITY_UNLINKED: {
    recorded: 'a person was unlinked from an identity provider',
    fields: IDENTITY,
  },
  POLICY_BROKEN: {
    recorded:
      "a query failed because a policy can't be applied: its column was renamed, replaced or dropped, or its expression isn't a single scalar expression; no principal; recorded once until the policy works again",
    fields: ['policy', 'policy_id', 'table_id', 'column', 'reason', 'created_by'],
    notes: { policy: '`row_filter` or `column_mask`', created_by: 'the author of the policy' },
  },
  PRINCIPAL_CREATED: {
    recorded: 'a principal was created',
    fields: ['principal_id', 'name', 'type', 'provider', 'must_change_password'],
    notes: {
      provider: 'if it was created at the first sign-in with this identity provider, or by it with SCIM',
      must_change_password: 'true if the creator chose the password without being an administrator',
    },
  },
  PRINCIPAL_DELETED: {
    recorded: 'a principal was deleted',
    fields: ['principal_id', 'name', 'provider'],
    notes: PROVISIONED,
  },
  PRINCIPAL_UPDATED: {
    recorded:
      'a principal was activated or deactivated, or its password, its e-mail address or what an identity provider stores of it was set',
    fields: ['principal_id', 'name', 'changed', 'active', 'provider'],
    notes: {
      ...PROVISIONED,
      changed:
        '`active`, `password`, `email`; with SCIM also `external_id`, the subject that may sign in, and `attributes`',
    },
  },
  ROW_FILTER_CREATED: {
    recorded: 'a row filter was created',
    fields: ROW_FILTER,
  },
  ROW_FILTER_DELETED: {
    recorded: 'a row filter was deleted',
    fields: ROW_FILTER,
  },
  RECOVERY_CODES_REPLACED: {
    recorded: 'a person replaced the recovery codes (the event never contains them)',
    fields: ['principal'],
  },
  SECOND_FACTOR_ADDED: {
    recorded: 'a person added a second factor',
    fields: SECOND_FACTOR,
  },
  SECOND_FACTOR_REMOVED: {
    recorded: 'a second factor was removed, by its person or by an administrator',
    fields: SECOND_FACTOR,
  },
  SECOND_FACTOR_RENAMED: {
    recorded: 'a person renamed a second factor',
    fields: [...SECOND_FACTOR, 'previous_name'],
  },
  SIGNED_IN: {
    recorded: 'a person signed in',
    fields: ['token_id', 'expires_at', 'provider', 'second_factor', 'recovery_codes_left'],
    notes: {
      provider: 'if it was with an identity provider',
      second_factor: 'the name of the second factor, or `recovery code`',
      recovery_codes_left: 'after a recovery code was used',
    },
  },
  SIGN_IN_FAILED: {
    recorded: 'a sign-in failed, or was the first to be throttled after too many failures; no principal',
    fields: ['name', 'address', 'throttled', 'provider', 'reason'],
    notes: {
      name: 'if a person with that name exists, or the identity is linked to one; any other input could be a password',
      provider: 'if it was with an identity provider',
      reason: 'why it failed, if it was with an identity provider; or `second-factor` after a right password',
    },
  },
  TABLE_PREVIEWED: {
    recorded: 'someone viewed the first rows of a table as another principal sees them',
    fields: ['table_id', 'principal', 'principal_id', 'readable', 'limit', 'query_id'],
    notes: {
      principal: 'whose permissions and policies applied; the event is by the viewer',
      readable: 'whether the principal can read the table',
      query_id: 'empty if the table is not readable',
    },
  },
  TOKEN_EXCHANGED: {
    recorded: 'a workload exchanged a token of its CI system or cluster for one of a service account',
    fields: [
      ...['token_id', 'principal', 'expires_at', 'environments', 'actions'],
      ...['workload_identity_id', 'issuer', 'subject', 'jti', 'address'],
    ],
    notes: {
      environments: 'if the token has a scope',
      actions: 'if the token has a scope',
      jti: 'id of the exchanged token, if it has one',
    },
  },
  TOKEN_ISSUED: {
    recorded:
      'a token was issued (the event never contains the token); no principal if a start stored a new token of the operator for `admin`',
    fields: ['token_id', 'name', 'principal', 'kind', 'expires_at', 'environments', 'actions'],
    notes: { environments: 'if the token has a scope', actions: 'if the token has a scope' },
  },
  TOKEN_ROTATED: {
    recorded: 'a new token replaced another one (the event never contains the token)',
    fields: [
      ...['token_id', 'new_token_id', 'name', 'principal', 'kind', 'expires_at', 'previous_expires_at'],
      ...['environments', 'actions'],
    ],
    notes: {
      previous_expires_at: 'until when the replaced token works; the time of the event if it stopped at once',
      environments: 'if the token has a scope',
      actions: 'if the token has a scope',
    },
  },
  TOKEN_REVOKED: {
    recorded: 'a token was revoked',
    fields: ['token_id', 'name', 'principal', 'kind'],
  },
  WORKLOAD_IDENTITY_CREATED: {
    recorded: 'a workload was allowed to sign in as a service account',
    fields: WORKLOAD_IDENTITY,
  },
  WORKLOAD_IDENTITY_DELETED: {
    recorded: 'a workload can no longer sign in as a service account',
    fields: WORKLOAD_IDENTITY,
  },
} satisfies Record<string, EventDefinition>;
