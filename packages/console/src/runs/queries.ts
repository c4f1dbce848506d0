import type { ItemOf, Run } from '@svc/sdk/browser';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';
import { pollingInterval } from '../service/polling.ts';
import { instantIn, lengthOf } from '../text/periods.ts';

type Status = ItemOf<'runs.list'>['status'];

/** The filters of the list, as the address has them. */
export interface RunListFilters {
  readonly status?: string | undefined;
  readonly job?: string | undefined;
  readonly repository?: string | undefined;
  readonly trigger?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const ACTIVE: readonly Status[] = ['queued', 'running'];
export const isActive = ({ status }: Pick<Run, 'status'>): boolean => ACTIVE.includes(status);

interface Bounds {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** The bounds of a period with a length such as `6h` or `7d`, and an end that is now without `until`. */
export function boundsOf({ since, until }: Pick<RunListFilters, 'since' | 'until'>, now: number): Bounds {
  const end = instantIn(until);
  const length = lengthOf(since);
  return {
    since: length === undefined ? undefined : new Date((end?.getTime() ?? now) - length),
    until: end,
  };
}

export const runsQuery = (env: string, filters: RunListFilters) =>
  infiniteQueryOptions({
    queryKey: ['runs', env, filters],
    queryFn: async ({ pageParam: { cursor, now = Date.now() }, signal }) => {
      const { since, until, ...others } = filters;
      const page = await svc.runs.listPage(env, {
        ...others,
        ...boundsOf({ since, until }, now),
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
      pollingInterval(state.data?.pages.some(({ items }) => items.some(isActive)) ?? false, state),
    staleTime: 0,
  });

export const runQuery = (env: string, id: string) =>
  queryOptions({
    queryKey: ['run', env, id],
    queryFn: ({ signal }) => svc.runs.get(env, id, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isActive(state.data) ? false : pollingInterval(true, state),
  });
