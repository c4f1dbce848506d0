import { covers, type EffectiveGrant, grantsAction } from '@svc/core/access';
import type { VisibleTables } from '@svc/db/retention';
import type { Context } from '../http/context.ts';

/**
 * The tables of the environment that the caller may read.
 * @throws AccessDeniedError if the caller may read neither a table nor the environment
 */
export async function visibleTables(ctx: Context): Promise<VisibleTables> {
  const limited = ctx.taskLimit('READ_TABLE', ctx.target);
  const grants = limited === null ? await ctx.listGrants() : [];
  const allowing = grants.filter((grant) => grantsAction(grant, 'READ_TABLE') && covers(ctx.target, grant.scope));
  if (limited === null && ctx.decide('READ_TABLE').allowed) return 'all';
  const namespaces = allowing.flatMap(({ scope }) => (scope.kind === 'NAMESPACE' ? [scope.namespace!] : []));
  const tables = allowing.flatMap((grant) => tableOf(grant));
  if (namespaces.length + tables.length === 0 && !ctx.decide('READ_ENVIRONMENT').allowed) {
    const reason = limited?.reason ?? 'no grant allows READ_TABLE on it or on a table in it';
    throw ctx.denied('READ_TABLE', ctx.target, reason);
  }
  return { namespaces, tables };
}

const tableOf = ({ scope }: EffectiveGrant) => (scope.kind === 'TABLE' ? [`${scope.namespace}.${scope.table}`] : []);
