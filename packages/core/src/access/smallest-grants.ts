import { type Action, ADMIN_ONLY, ROLE_ACTIONS, type Role } from './actions.ts';

/** A grant on the object that allows some of the missing actions. */
export interface ProposedGrant {
  readonly value: Action | Role;
  /** The missing actions that it allows. */
  readonly actions: readonly Action[];
}

export interface GrantProposal {
  /** For each action a grant of that action alone, the smallest that allows it. */
  readonly single: readonly ProposedGrant[];
  /** Roles that allow several of the actions, smallest first. Never ADMIN, which allows nothing that single actions don't. */
  readonly roles: readonly ProposedGrant[];
  /** The ADMIN role, for the actions that no other grant allows; null without such actions. */
  readonly admin: ProposedGrant | null;
}

/** Roles other than ADMIN, smallest first. */
const SMALL_ROLES = (Object.keys(ROLE_ACTIONS) as Role[])
  .filter((role) => role !== 'ADMIN')
  .sort((a, b) => ROLE_ACTIONS[a].length - ROLE_ACTIONS[b].length);

/** The smallest grants that allow the missing actions (CLI-33). */
export function smallestGrants(missing: readonly Action[]): GrantProposal {
  const grantable = missing.filter((action) => !ADMIN_ONLY.includes(action));
  const onlyAdmin = missing.filter((action) => ADMIN_ONLY.includes(action));
  const roles: ProposedGrant[] = [];
  for (const role of SMALL_ROLES) {
    const actions = grantable.filter((action) => ROLE_ACTIONS[role].includes(action));
    // A larger role is only worth more than a smaller one if it allows more of the missing actions.
    const smaller = roles.at(-1)?.actions.length ?? 1;
    if (actions.length > smaller) roles.push({ value: role, actions });
  }
  return {
    single: grantable.map((action) => ({ value: action, actions: [action] })),
    roles,
    admin: onlyAdmin.length === 0 ? null : { value: 'ADMIN', actions: onlyAdmin },
  };
}
