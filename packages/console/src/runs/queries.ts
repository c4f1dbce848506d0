import type { ItemOf, Run } from '@svc/sdk/browser';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';

type Status = ItemOf<'runs.list'>['status'];

/** The filters of the list, as the address has them. */
export interface RunListFilters {
  readonly status?: string | undefined;
  readonly job?: string | undefined;
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  readonly since?: string | undefined;
}

const ACTIVE: readonly Status[] = ['queued', 'running'];
export const isActive = ({ status }: Pick<Run, 'status'>): boolean => ACTIVE.includes(status);

export const PERIODS = {
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const;

/** The start of a period such as `6h` or `7d`. */
export function sinceOf(period: string | undefined, now: number): Date | undefined {
  const match = /^(\d{1,3})([hd])$/.exec(period ?? '');
  if (match === null) return undefined;
  return new Date(now - Number(match[1]) * (match[2] === 'h' ? 3_600_000 : 86_400_000));
}

/** Milliseconds between requests: less while something happens, more while the service fails. */
export function pollingInterval(hasActive: boolean, failures: number): number {
  return Math.min(60_000, (hasActive ? 2000 : 15_000) * 2 ** Math.min(failures, 5));
}

export const runsQuery = (env: string, filters: RunListFilters) =>
  infiniteQueryOptions({
    queryKey: ['runs', env, filters],
    queryFn: async ({ pageParam: { cursor, now = Date.now() }, signal }) => {
      const { since, ...others } = filters;
      const page = await svc.runs.listPage(env, {
        ...others,
        since: sinceOf(since, now),
        limit: 50,
        cursor,
        signal,
      });
      return { ...page, now };
    },
    initialPageParam: {} as { cursor?: string; now?: number },
    // A cursor belongs to its filters: a period until now keeps the time of the first page.
    getNextPageParam: ({ next_cursor, now }) => (next_cursor === null ? undefined : { cursor: next_cursor, now }),
    refetchInterval: ({ state }) =>
      pollingInterval(state.data?.pages.some(({ items }) => items.some(isActive)) ?? false, state.errorUpdateCount),
    staleTime: 0,
  });

export const runQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['run', env, id],
    queryFn: ({ signal }) => svc.runs.get(env, id, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isActive(state.data) ? false : pollingInterval(true, state.errorUpdateCount),
  });
