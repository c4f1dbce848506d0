import type { Action, HeldGrant, ObjectKind, Role } from '@svc/core/access';

/** A grant as the look-ups of this folder select it. */
export interface StoredGrant {
  id: string;
  role: Role | null;
  action: Action | null;
  kind: ObjectKind;
  namespace: string | null;
  table: string | null;
  group_name: string | null;
  created_at: string | Date;
}

/** The grant as the decision takes it; `environment` is the name of the one it lies in. */
export function heldGrant(grant: StoredGrant, environment: string | null): HeldGrant {
  return {
    grant_id: grant.id,
    role: grant.role,
    action: grant.action,
    group: grant.group_name,
    created_at: new Date(grant.created_at).getTime(),
    scope: {
      kind: grant.kind,
      environment: grant.kind === 'INSTANCE' ? null : environment,
      namespace: grant.namespace,
      table: grant.table,
    },
  };
}
