import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isActive } from '../runs/queries.ts';
import { svc } from '../service/client.ts';
import { pollingInterval } from '../service/polling.ts';
import { cache, PAGED } from '../service/queries.ts';

const PAGE = 50;

export const deploymentsQuery = (env: string) =>
  queryOptions({
    queryKey: ['projects', env, 'deployments'],
    queryFn: ({ signal }) => svc.deployments.list(env, { signal }),
  });

export const versionsQuery = (env: string, repository: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', env, 'versions', repository],
    queryFn: ({ pageParam, signal }) =>
      svc.projectVersions.listPage(env, { repository, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

/** A version with its assets. It never changes. */
export const versionQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['project version', env, id],
    queryFn: ({ signal }) => svc.projectVersions.get(env, id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What differs between two versions; without the second one, it is the version before. Versions never change. */
export const comparisonQuery = (env: string, id: string, against: string | undefined) =>
  queryOptions({
    queryKey: ['project version', env, id, 'against', against ?? null],
    queryFn: ({ signal }) =>
      svc.projectVersions.compare(env, id, { ...(against === undefined ? {} : { against }), signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const deploysQuery = (env: string, repository: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', env, 'deploys', repository],
    queryFn: ({ pageParam, signal }) =>
      svc.deploys.listPage(env, { repository, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
    refetchInterval: ({ state }) =>
      pollingInterval(state.data?.pages.some(({ items }) => items.some(isActive)) ?? false, state),
    staleTime: 0,
  });

export const deployQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['projects', env, 'deploy', id],
    queryFn: ({ signal }) => svc.deploys.get(env, id, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isActive(state.data) ? false : pollingInterval(true, state),
  });

/** Loads everything again that is shown about projects and their jobs, after a change. */
export async function refreshProjects(env: string): Promise<void> {
  await Promise.all(['projects', 'jobs'].map((key) => cache.invalidateQueries({ queryKey: [key, env] })));
}
