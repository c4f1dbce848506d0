import { type Action, gives, INSTANCE } from '@svc/core/access';
import type { Context } from '../context.ts';

/**
 * For the registries of the instance, whose names stand in the records of every environment: whoever manages them, or
 * reads any environment (specification 5.5). @throws Denied
 */
export async function requireAnyReader(ctx: Context, action: Action): Promise<void> {
  if (ctx.decide(action, INSTANCE).allowed) return;
  const limited = ctx.taskLimit('READ_ENVIRONMENT', INSTANCE);
  const held = limited === null ? await ctx.heldEverywhere(ctx.caller.token.environment_id) : [];
  const reads = held.some(
    (grant) =>
      (grant.scope.kind === 'INSTANCE' || grant.scope.kind === 'ENVIRONMENT') && gives(grant, 'READ_ENVIRONMENT'),
  );
  if (reads) return;
  const reason = `it needs ${action}, or READ_ENVIRONMENT on any environment`;
  throw ctx.denied(action, INSTANCE, reason);
}
