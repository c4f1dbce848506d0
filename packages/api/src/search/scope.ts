import type { Action } from '@svc/core/access';
import type { SearchScope } from '@svc/db/search';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { visiblePaths } from '../namespaces/visible-paths.ts';
import { readableTables } from '../tables/readable-tables.ts';

/**
 * What the caller can list in the environment (SEARCH-2).
 * @throws AccessDeniedError if that is nothing
 */
export async function searchScope(ctx: Context): Promise<SearchScope> {
  const grants = await ctx.listGrants();
  const allowing = (action: Action) => (ctx.tokenLimit(action) === null ? grants : []);
  const namespaces = visiblePaths(allowing('READ_NAMESPACE'), ctx.target, 'READ_NAMESPACE');
  const tables = readableTables(allowing('READ_TABLE'), ctx.target);
  const environment = ctx.decide('READ_ENVIRONMENT');
  const hasTables = tables === 'all' || tables.namespaces.length + tables.tables.length > 0;
  if (!environment.allowed && namespaces.length === 0 && !hasTables)
    throw ctx.denied(
      'READ_ENVIRONMENT',
      ctx.target,
      ctx.isTask ? environment.reason! : `${environment.reason}, or READ_NAMESPACE or READ_TABLE in it`,
    );
  requireExisting(ctx);
  return { namespaces, tables, projects: environment.allowed };
}
