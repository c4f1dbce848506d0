import type { Action, Role } from './actions.ts';
import type { ObjectScope } from './objects.ts';

/** An active grant that applies to a principal, directly or through the named group. */
export interface EffectiveGrant {
  grant_id: string;
  role: Role | null;
  action: Action | null;
  scope: ObjectScope;
  /** Name of the group that the grant was made to; null for a grant to the principal. */
  group: string | null;
  /** Milliseconds since the epoch. */
  created_at: number;
}
