import { type Action, ADMIN_ONLY, ROLE_ACTIONS } from './actions.ts';
import type { EffectiveGrant } from './effective-grant.ts';
import { type ObjectScope, scopeOf } from './objects.ts';

/** The most that a token carries of its principal's permissions (TOKEN-4). Null means no limit. */
export interface TokenScope {
  readonly environments: readonly string[] | null;
  readonly actions: readonly Action[] | null;
}

/** The actions of a token with `--read-only`. */
export const READ_ONLY_ACTIONS: readonly Action[] = ROLE_ACTIONS.ANALYST;

/** Whether the scope includes the environment of an object, whatever actions it carries. */
export function includesEnvironment({ environments }: TokenScope, { environment }: ObjectScope): boolean {
  return environments === null || (environment !== null && environments.includes(environment));
}

/**
 * The grants as far as the scope includes them. A decision with these grants can't exceed the scope, whatever code makes it: a
 * grant on the instance becomes one on each environment of the scope.
 */
export function narrowGrants(grants: readonly EffectiveGrant[], scope: TokenScope | null): EffectiveGrant[] {
  if (scope === null) return grants as EffectiveGrant[];
  const { environments, actions } = scope;
  const inside = ({ scope: on, ...grant }: EffectiveGrant): EffectiveGrant[] => {
    if (includesEnvironment(scope, on)) return [{ ...grant, scope: on }];
    if (on.kind !== 'INSTANCE') return [];
    return environments!.map((environment) => ({ ...grant, scope: scopeOf({ environment }) }));
  };
  const only = actions ?? undefined;
  return grants.flatMap(inside).map((grant) => ({ ...grant, only, isNarrowed: true }));
}

/** Why the scope doesn't include an action on an object; null if it does. */
export function outsideScope(scope: TokenScope | null, action: Action, on: ObjectScope): string | null {
  if (scope === null) return null;
  if (ADMIN_ONLY.includes(action)) return `a token with a scope never carries ${action}`;
  const { actions } = scope;
  if (actions !== null && !actions.includes(action)) return `the scope of the token does not include ${action}`;
  if (includesEnvironment(scope, on)) return null;
  const object = on.environment === null ? 'the instance' : `environment ${on.environment}`;
  return `the scope of the token does not include ${object}`;
}
