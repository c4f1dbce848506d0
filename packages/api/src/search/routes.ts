import { searchEndpoints as endpoints, SEARCH_KINDS } from '@svc/core/search';
import { findObjects, type SearchPosition } from '@svc/db/search';
import { PageResponse, type Route, route } from '../http/route.ts';
import { searchScope } from './scope.ts';

const find = route(
  endpoints.find,
  async (ctx) => {
    const scope = await searchScope(ctx);
    const { q, kind = SEARCH_KINDS, limit } = ctx.query;
    const { items, next } = await findObjects(ctx.db, {
      environmentId: ctx.environment.id,
      text: q,
      kinds: kind,
      scope,
      after: ctx.position<SearchPosition>(),
      limit,
    });
    return new PageResponse(items, next);
  },
  searchScope,
);

export const searchRoutes: Route[] = [find];
