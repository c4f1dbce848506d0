import { queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';

/** A project version never changes. */
export const projectVersionQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['project-version', env, id],
    queryFn: ({ signal }) => svc.projectVersions.get(env, id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
