import { decide, gives, type HeldGrant } from '@svc/core/access';
import type { Context } from '../http/context.ts';

/**
 * All tables of the namespace, or those that individual grants let the caller read. @throws Denied if the caller may
 * read none
 */
export async function visibleTables(ctx: Context): Promise<'all' | string[]> {
  const decision = ctx.decide('READ_TABLE', ctx.asked);
  if (decision.allowed) return 'all';
  const limited = ctx.taskLimit('READ_TABLE', ctx.asked);
  const held = limited === null ? await ctx.heldEverywhere() : [];
  const names = held.filter((grant) => onTableOf(grant, ctx)).map((grant) => grant.scope.table!);
  if (names.length > 0 || (limited === null && decide(ctx.held, 'READ_NAMESPACE', ctx.asked).allowed)) return names;
  throw ctx.denied('READ_TABLE', ctx.asked, limited?.reason ?? 'no grant gives READ_TABLE on it or a table of it');
}

function onTableOf(grant: HeldGrant, ctx: Context): boolean {
  const { scope } = grant;
  const inside = scope.kind === 'TABLE' && scope.environment === ctx.asked.environment;
  return inside && scope.namespace?.toLowerCase() === ctx.asked.namespace?.toLowerCase() && gives(grant, 'READ_TABLE');
}
