import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { svc } from '../../service/client.ts';
import { pollingInterval } from '../../service/polling.ts';
import { isActive } from '../queries.ts';
import { type Period, requestedPeriod } from './period.ts';
import { spanOf } from './rows.ts';

/** The runs of the period, and of as much time before and after it. */
export function timelineQuery(env: string, period: Period, isLive: boolean) {
  const { from, to } = requestedPeriod(period, isLive);
  return queryOptions({
    queryKey: ['timeline', env, from, to],
    queryFn: async ({ signal }) => {
      const until = to === undefined ? undefined : new Date(to);
      const { runs, truncated } = await svc.runs.timeline(env, new Date(from), { until, signal });
      return { spans: runs.map(spanOf), truncated };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollingInterval(state.data?.spans.some(isActive) ?? false, state),
    staleTime: 0,
  });
}
