import { type QueryTab, SvcError } from '@svc/sdk/browser';
import { svc } from '../../service/client.ts';
import { cache } from '../../service/queries.ts';
import { bodyOf, type TabContent } from './tab-content.ts';

// Also while the browser reports that it is offline: then a request fails at once, and the page shows it.
const networkMode = 'always' as const;

/** A change that the service makes; a rejected session leads to the sign-in, as everywhere. */
const change = <T>(mutationFn: () => Promise<T>): Promise<T> =>
  cache.getMutationCache().build(cache, { mutationFn, networkMode }).execute(undefined);

/** A list that is loaded again each time. */
export const listTabs = (env: string): Promise<QueryTab[]> =>
  cache.fetchQuery({
    queryKey: ['query tabs', env],
    queryFn: ({ signal }) => svc.queryTabs.list(env, { signal }),
    staleTime: 0,
    gcTime: 0,
    networkMode,
  });

export const findTab = (env: string, id: string): Promise<QueryTab> => svc.queryTabs.get(env, id);

export const saveTab = (
  env: string,
  id: string,
  { version, content }: { readonly version: number; readonly content: TabContent },
): Promise<QueryTab> => change(() => svc.queryTabs.save(env, id, { version, ...bodyOf(content) }));

export const deleteTab = (env: string, id: string, version: number): Promise<void> =>
  change(() => svc.queryTabs.delete(env, id, version));

/** The same request may succeed later. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof SvcError) || error.status === 0 || error.status === 429 || error.status >= 500;
