import { queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';

/** A project version never changes. */
export const projectVersionQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['project-version', env, id],
    queryFn: ({ signal }) => svc.projectVersions.get(env, id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const deploymentsQuery = (env: string) =>
  queryOptions({
    queryKey: ['deployments', env],
    queryFn: ({ signal }) => svc.deployments.list(env, { signal }),
  });

export interface LineageOptions {
  readonly direction?: 'upstream' | 'downstream' | undefined;
  readonly depth?: number | undefined;
}

export const lineageQuery = (env: string, table: string, options: LineageOptions) =>
  queryOptions({
    queryKey: ['lineage', env, table, options],
    queryFn: ({ signal }) => svc.lineage.get(env, table, { ...options, signal }),
  });
