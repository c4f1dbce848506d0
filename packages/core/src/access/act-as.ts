import { appliesWithin, TASK_TOKEN_ACTIONS } from './actions.ts';
import { decide, grantsAction } from './decide.ts';
import type { EffectiveGrant } from './effective-grant.ts';
import { covers, INSTANCE, type ObjectScope, scopeOf } from './objects.ts';

/**
 * Whether runs of a service account in an environment can do something that the caller can't (ACCESS-46). A run does at
 * most what a task token carries. An action that the caller has on every part of an object, but not on the object as a
 * whole, counts as missing: what is added to the object later would not be theirs.
 */
export function canDoMore(
  account: readonly EffectiveGrant[],
  caller: readonly EffectiveGrant[],
  environment: string,
): boolean {
  const inEnvironment = scopeOf({ environment });
  const partInEnvironment = (scope: ObjectScope): ObjectScope | null =>
    covers(scope, inEnvironment) ? inEnvironment : covers(inEnvironment, scope) ? scope : null;
  return account.some((grant) => {
    const part = partInEnvironment(grant.scope);
    return TASK_TOKEN_ACTIONS.some((action) => {
      const object = appliesWithin(action, 'ENVIRONMENT') ? part : grant.scope.kind === 'INSTANCE' ? INSTANCE : null;
      // A role on a namespace or a table also carries actions on the environment, which have no effect there.
      if (object === null || !appliesWithin(action, object.kind)) return false;
      return grantsAction(grant, action) && !decide(caller, action, object).allowed;
    });
  });
}
