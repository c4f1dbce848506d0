import { scopeOf } from '@svc/core/access';
import { dropNamespace } from '@svc/db/namespaces';
import { auditRevoked } from '../access/index.ts';
import type { Context } from '../http/context.ts';

/** Drops the namespace of the path, for REST and the catalog, and records the drop and the grants that end with it. */
export async function removeNamespace(ctx: Context): Promise<void> {
  ctx.requireUnprotected('DROP_NAMESPACE');
  const { id, path } = ctx.namespace;
  const { name, id: environmentId } = ctx.environment;
  await auditRevoked(ctx, await dropNamespace(ctx.db, { id, environmentId, by: ctx.caller.id, now: ctx.now }));
  await ctx.audit({
    type: 'NAMESPACE_DELETED',
    object: scopeOf({ environment: name, namespace: path }),
    detail: { namespace_id: id, path },
  });
}
