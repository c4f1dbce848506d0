import type { Query } from '@svc/sdk/browser';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';

/** Rows of one page of a result. */
export const PAGE_ROWS = 1000;

/** Seconds that the service waits for a query to finish before it reports the progress. */
const WAIT = 2;

export const isActive = ({ status }: Query): boolean => status === 'QUEUED' || status === 'RUNNING';

/** A query, followed until it has finished. */
export const queryQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['query', env, id],
    queryFn: ({ signal, client, queryKey }) => {
      // The first request shows at once what there is.
      const known = client.getQueryData<Query>(queryKey);
      return svc.queries.get(env, id, { signal, ...(known !== undefined && isActive(known) ? { wait: WAIT } : {}) });
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isActive(state.data) && state.error === null ? 200 : false,
    staleTime: ({ state }) =>
      state.data !== undefined && !isActive(state.data as Query) ? Number.POSITIVE_INFINITY : 0,
    meta: { quiet: true },
  });

export const resultQuery = (env: string, id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['query', env, id, 'result', cursor ?? null],
    queryFn: ({ signal }) => svc.queries.results(env, id, { limit: PAGE_ROWS, cursor, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** Rows of a chart: the most that one request returns. */
export const CHART_ROWS = 10_000;

export const chartQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['query', env, id, 'chart'],
    queryFn: ({ signal }) => svc.queries.results(env, id, { limit: CHART_ROWS, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Up to 10,000 rows need not stay for long.
    gcTime: 60_000,
  });

/** The caller's own queries of the last day. */
export const historyQuery = (env: string, submitter: string) =>
  queryOptions({
    queryKey: ['queries', env, submitter],
    queryFn: ({ signal }) => svc.queries.list(env, { include_ended: true, submitter, limit: 100, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isActive) && state.error === null ? 3000 : false),
    staleTime: 0,
  });
