import { queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';
import { cache, environmentsQuery } from '../service/queries.ts';

export const environmentQuery = (env: string) =>
  queryOptions({
    queryKey: ['settings', env, 'environment'],
    queryFn: async ({ signal }) => {
      const [environment, quotas] = await Promise.all([
        svc.environments.get(env, { signal }),
        svc.environments.quotas(env, { signal }),
      ]);
      return { environment, quotas };
    },
  });

export const retentionPreviewQuery = (env: string, days: number) =>
  queryOptions({
    queryKey: ['settings', env, 'retention', days],
    queryFn: ({ signal }) => svc.environments.previewRetention(env, days, { limit: 20, signal }),
  });

export const secretsQuery = (env: string) =>
  queryOptions({
    queryKey: ['settings', env, 'secrets'],
    queryFn: ({ signal }) => svc.secrets.list(env, { signal }),
  });

export const packageIndexesQuery = queryOptions({
  queryKey: ['settings', 'package-indexes'],
  queryFn: ({ signal }) => svc.packageIndexes.list({ signal }),
});

export const repositoriesQuery = queryOptions({
  queryKey: ['settings', 'repositories'],
  queryFn: ({ signal }) => svc.repositories.list({ signal }),
});

export const identityProvidersQuery = queryOptions({
  queryKey: ['settings', 'identity-providers'],
  queryFn: ({ signal }) => svc.identityProviders.list({ signal }),
});

export const orphanedQuery = (env: string) =>
  queryOptions({
    queryKey: ['settings', env, 'orphaned'],
    queryFn: ({ signal }) => svc.environments.listOrphaned(env, { signal }),
  });

/** Reads a route for operators, which needs no credential; a failed check is an answer too. */
async function check(path: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const answer = await fetch(path, { signal });
  return answer.json();
}

/** The version of the service, and whether it and its storage respond. */
export const serviceQuery = queryOptions({
  queryKey: ['settings', 'service'],
  queryFn: async ({ signal }) => {
    const [version, ready, storage] = await Promise.all(
      ['/version', '/readyz', '/readyz/storage'].map((path) => check(path, signal)),
    );
    return { version, ready, storage };
  },
  refetchInterval: 30_000,
});

/** Loads everything of the settings again that is shown, after a change. */
export async function refreshSettings(): Promise<void> {
  await cache.invalidateQueries({ queryKey: ['settings'] });
  await cache.invalidateQueries({ queryKey: environmentsQuery.queryKey });
}
