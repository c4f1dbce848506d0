import { type Action, grantsAction, type Role, scopeOf } from '@svc/core/access';
import type { Permissions, ScopeOptions } from '@svc/sdk/browser';

/** The actions on the object that the grant would add to what a principal has. */
export function gainedActions(
  { permissions }: Pick<Permissions, 'permissions'>,
  { role = null, action = null }: { role?: Role | null | undefined; action?: Action | null | undefined },
  object: ScopeOptions,
): string[] {
  const grant = { role, action, scope: scopeOf(object) };
  return permissions.filter((each) => !each.allowed && grantsAction(grant, each.action)).map((each) => each.action);
}
