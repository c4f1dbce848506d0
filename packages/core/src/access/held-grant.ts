import type { Action, Role } from './actions.ts';
import type { ObjectScope } from './objects.ts';

/** An active grant as it reaches a principal: to itself, or through the named group. */
export interface HeldGrant {
  grant_id: string;
  role: Role | null;
  action: Action | null;
  scope: ObjectScope;
  /** Name of the group it is made to; null when made to the principal. */
  group: string | null;
  /** Milliseconds since the epoch. */
  created_at: number;
}
