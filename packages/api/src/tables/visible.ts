import { decide, type EffectiveGrant, grantsAction } from '@svc/core/access';
import type { Context } from '../http/context.ts';

/**
 * All tables of the namespace, or those that individual grants let the caller read. @throws AccessDeniedError if the caller may
 * read none
 */
export async function visibleTables(ctx: Context): Promise<'all' | string[]> {
  const decision = ctx.decide('READ_TABLE', ctx.target);
  if (decision.allowed) return 'all';
  const limited = ctx.tokenLimit('READ_TABLE');
  const grants = limited === null ? await ctx.listGrants() : [];
  const granting = grants.filter((grant) => onTableOf(grant, ctx));
  ctx.noteUse(granting);
  const names = granting.map((grant) => grant.scope.table!);
  if (names.length > 0 || (limited === null && decide(ctx.grants, 'READ_NAMESPACE', ctx.target).allowed)) return names;
  throw ctx.denied('READ_TABLE', ctx.target, limited?.reason ?? 'no grant allows READ_TABLE on it or on a table in it');
}

function onTableOf(grant: EffectiveGrant, ctx: Context): boolean {
  const { scope } = grant;
  const inside = scope.kind === 'TABLE' && scope.environment === ctx.target.environment;
  return (
    inside &&
    scope.namespace?.toLowerCase() === ctx.target.namespace?.toLowerCase() &&
    grantsAction(grant, 'READ_TABLE')
  );
}
