import { type EffectiveGrant, grantsAction, type ObjectScope } from '@svc/core/access';
import type { VisibleTables } from '@svc/db/tables';
import { visiblePaths } from '../namespaces/visible-paths.ts';

/** The tables of an environment on which the grants allow READ_TABLE. */
export function readableTables(grants: readonly EffectiveGrant[], environment: ObjectScope): VisibleTables {
  const namespaces = visiblePaths(grants, environment, 'READ_TABLE');
  if (namespaces === 'all') return 'all';
  const tables = grants
    .filter(({ scope }) => scope.kind === 'TABLE' && scope.environment === environment.environment)
    .filter((grant) => grantsAction(grant, 'READ_TABLE'))
    .map(({ scope }) => `${scope.namespace}.${scope.table}`);
  return { namespaces, tables };
}
