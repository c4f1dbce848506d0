import type { Action, EffectiveGrant, ObjectKind, Role } from '@svc/core/access';

/** A grant as this folder's queries select it. */
export interface StoredGrant {
  id: string;
  role: Role | null;
  action: Action | null;
  kind: ObjectKind;
  namespace: string | null;
  table: string | null;
  service_account?: string | null;
  group_name: string | null;
  created_at: string | Date;
}

/** Converts a grant for the access decision; `environment` is the name of its environment. */
export function toEffectiveGrant(grant: StoredGrant, environment: string | null): EffectiveGrant {
  return {
    grant_id: grant.id,
    role: grant.role,
    action: grant.action,
    group: grant.group_name,
    created_at: new Date(grant.created_at).getTime(),
    scope: {
      kind: grant.kind,
      environment: grant.kind === 'INSTANCE' || grant.kind === 'SERVICE_ACCOUNT' ? null : environment,
      namespace: grant.namespace,
      table: grant.table,
      ...(grant.service_account == null ? {} : { service_account: grant.service_account }),
    },
  };
}
