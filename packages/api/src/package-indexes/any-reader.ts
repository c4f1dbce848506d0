import { grantsAction, INSTANCE } from '@svc/core/access';
import type { Context } from '../http/context.ts';

const action = 'MANAGE_PACKAGE_INDEX';

/**
 * Also allows callers with READ_ENVIRONMENT on any environment, because its records contain the names of indexes (`INDEX-15`).
 * @throws AccessDeniedError
 */
export async function requireAnyReader(ctx: Context): Promise<void> {
  if (ctx.decide(action, INSTANCE).allowed) return;
  const limited = ctx.taskLimit('READ_ENVIRONMENT', INSTANCE);
  const grants = limited === null ? await ctx.listGrants(ctx.caller.token.environment_id) : [];
  const reads = grants.some(
    (grant) =>
      (grant.scope.kind === 'INSTANCE' || grant.scope.kind === 'ENVIRONMENT') &&
      grantsAction(grant, 'READ_ENVIRONMENT'),
  );
  if (reads) return;
  const reason = `it needs ${action}, or READ_ENVIRONMENT on any environment`;
  throw ctx.denied(action, INSTANCE, reason);
}
