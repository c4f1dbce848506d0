import { decide, type EffectiveGrant, grantsAction, grantsWithin } from '@svc/core/access';
import type { VisibleTables } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { readableTables } from './readable-tables.ts';

const NONE = 'no grant allows READ_TABLE on it or on a table in it';

/**
 * All tables of the namespace, or those that individual grants let the caller read. @throws AccessDeniedError if the caller may
 * read none
 */
export async function visibleInNamespace(ctx: Context): Promise<'all' | string[]> {
  const decision = ctx.decide('READ_TABLE', ctx.target);
  if (decision.allowed) return 'all';
  const limited = ctx.tokenLimit('READ_TABLE');
  const grants = limited === null ? await ctx.listGrants() : [];
  const granting = grants.filter((grant) => onTableOf(grant, ctx));
  ctx.noteUse(granting);
  const names = granting.map((grant) => grant.scope.table!);
  if (names.length > 0 || (limited === null && decide(ctx.grants, 'READ_NAMESPACE', ctx.target).allowed)) return names;
  throw ctx.denied('READ_TABLE', ctx.target, limited?.reason ?? NONE);
}

/**
 * The tables of the environment that the caller may read.
 * @throws AccessDeniedError if the caller may read neither a table nor the environment
 */
export async function visibleInEnvironment(ctx: Context): Promise<VisibleTables> {
  const limited = ctx.tokenLimit('READ_TABLE');
  const grants = limited === null ? grantsWithin(await ctx.listGrants(), ['READ_TABLE'], ctx.target) : [];
  ctx.noteUse(grants);
  const visible = readableTables(grants, ctx.target);
  if (visible === 'all' || visible.namespaces.length + visible.tables.length > 0) return visible;
  if (ctx.decide('READ_ENVIRONMENT').allowed) return visible;
  throw ctx.denied('READ_TABLE', ctx.target, limited?.reason ?? NONE);
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
