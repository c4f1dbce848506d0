import { type Action, covers, grantsAction, type HeldGrant, type ObjectScope } from '@svc/core/access';
import type { VisiblePaths } from '@svc/db/namespaces';

/**
 * The namespaces of an environment on which the grants allow the action: all of them, or those at and below some paths.
 */
export function visiblePaths(held: readonly HeldGrant[], environment: ObjectScope, action: Action): VisiblePaths {
  const giving = held.filter((grant) => grantsAction(grant, action));
  if (giving.some((grant) => covers(grant.scope, environment))) return 'all';
  return giving
    .filter(({ scope }) => scope.kind === 'NAMESPACE' && scope.environment === environment.environment)
    .map(({ scope }) => scope.namespace!);
}
