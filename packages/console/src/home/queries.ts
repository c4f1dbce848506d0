import { queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';
import { pollingInterval } from '../service/polling.ts';

const DAY_MS = 86_400_000;
const MAX_FAILURES = 100;

export const summaryQuery = (env: string) =>
  queryOptions({
    queryKey: ['summary', env],
    queryFn: ({ signal }) => svc.environments.summary(env, { signal }),
    refetchInterval: ({ state }) => pollingInterval(false, state),
    staleTime: 0,
  });

/** The latest failed runs of the last 24 hours. */
export const failuresQuery = (env: string) =>
  queryOptions({
    queryKey: ['failures', env],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - DAY_MS);
      return svc.runs.listPage(env, { status: 'failed', since, limit: MAX_FAILURES, signal });
    },
    refetchInterval: ({ state }) => pollingInterval(false, state),
    staleTime: 0,
  });
