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
  /** The only actions that it carries, because the scope of the caller's token is limited to them. */
  only?: readonly Action[] | undefined;
  /** Whether the scope of the caller's token narrows it. It then carries none of ADMIN_ONLY. */
  isNarrowed?: boolean;
  /** Milliseconds since the epoch. */
  created_at: number;
}
