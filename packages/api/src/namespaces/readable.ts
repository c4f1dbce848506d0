import { grantsWithin } from '@svc/core/access';
import type { VisiblePaths } from '@svc/db/namespaces';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { visiblePaths } from './visible-paths.ts';

/** The namespaces that the caller can read. @throws AccessDeniedError if the caller can read none of them */
export async function readableNamespaces(ctx: Context): Promise<VisiblePaths> {
  const limited = ctx.tokenLimit('READ_NAMESPACE');
  const grants = limited === null ? grantsWithin(await ctx.listGrants(), ['READ_NAMESPACE'], ctx.target) : [];
  ctx.noteUse(grants);
  const visible = visiblePaths(grants, ctx.target, 'READ_NAMESPACE');
  if (visible !== 'all' && visible.length === 0) {
    const reason = limited?.reason ?? 'no grant allows READ_NAMESPACE on it or on a namespace in it';
    throw ctx.denied('READ_NAMESPACE', ctx.target, reason);
  }
  requireExisting(ctx);
  return visible;
}
