import { type Action, covers, type EffectiveGrant, grantsAction, type ObjectScope } from '@svc/core/access';
import type { VisiblePaths } from '@svc/db/namespaces';

/**
 * The namespaces of an environment on which the grants allow the action: all of them, or those at and below some paths.
 */
export function visiblePaths(
  grants: readonly EffectiveGrant[],
  environment: ObjectScope,
  action: Action,
): VisiblePaths {
  const allowing = grants.filter((grant) => grantsAction(grant, action));
  if (allowing.some((grant) => covers(grant.scope, environment))) return 'all';
  return allowing
    .filter(({ scope }) => scope.kind === 'NAMESPACE' && scope.environment === environment.environment)
    .map(({ scope }) => scope.namespace!);
}
