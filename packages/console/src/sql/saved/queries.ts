import type { SavedQuery } from '@svc/sdk/browser';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { svc } from '../../service/client.ts';
import { cache, PAGED } from '../../service/queries.ts';

const PAGE = 50;

/** The caller's saved queries and the shared ones of others, by name. */
export const savedQueriesQuery = (env: string, search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['saved queries', env, search ?? null],
    queryFn: ({ pageParam, signal }) =>
      svc.savedQueries.listPage(env, { search, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

export const savedQueryQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['saved query', env, id],
    queryFn: ({ signal }) => svc.savedQueries.get(env, id, { signal }),
  });

/** Loads the lists again, which a change may have changed. */
export const refreshSavedQueries = (env: string) => cache.invalidateQueries({ queryKey: ['saved queries', env] });

export const refreshSavedQuery = (env: string, id: string) =>
  cache.invalidateQueries({ queryKey: savedQueryQuery(env, id).queryKey });

/** Shows what the service has saved. */
export function rememberSavedQuery(env: string, saved: SavedQuery): void {
  cache.setQueryData<SavedQuery>(savedQueryQuery(env, saved.id).queryKey, saved);
}
