import { grantsWithin } from '@svc/core/access';
import type { VisibleTables } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { readableTables } from '../tables/readable-tables.ts';

/**
 * The tables of the environment that the caller may read.
 * @throws AccessDeniedError if the caller may read neither a table nor the environment
 */
export async function visibleTables(ctx: Context): Promise<VisibleTables> {
  const limited = ctx.tokenLimit('READ_TABLE');
  const grants = limited === null ? grantsWithin(await ctx.listGrants(), ['READ_TABLE'], ctx.target) : [];
  ctx.noteUse(grants);
  const visible = readableTables(grants, ctx.target);
  if (visible === 'all' || visible.namespaces.length + visible.tables.length > 0) return visible;
  if (ctx.decide('READ_ENVIRONMENT').allowed) return visible;
  const reason = limited?.reason ?? 'no grant allows READ_TABLE on it or on a table in it';
  throw ctx.denied('READ_TABLE', ctx.target, reason);
}
