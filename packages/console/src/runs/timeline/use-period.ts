import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { instantIn, lengthOf, lengthText } from '../../text/periods.ts';
import { DEFAULT_LENGTH, type Period, shownPeriod } from './period.ts';

/** The period of the address: `since` is its length, `until` its end if it doesn't move on with the time. */
export function usePeriod(now: number) {
  const { since, until } = useSearch({ from: '/signed-in/$env/runs' });
  const navigate = useNavigate({ from: '/$env/runs' });
  const length = lengthOf(since) ?? DEFAULT_LENGTH;
  const end = instantIn(until)?.getTime();
  const period = useMemo(() => shownPeriod(length, end, now), [length, end, now]);
  const show = useCallback(
    ({ from, to }: Period) => {
      const changed = {
        since: lengthText(Math.round((to - from) / 60_000) * 60_000),
        until: new Date(to).toISOString(),
      };
      void navigate({ search: (search) => ({ ...search, ...changed }), replace: true });
    },
    [navigate],
  );
  const follow = useCallback(
    (text?: string) =>
      void navigate({ search: (search) => ({ ...search, since: text ?? search.since, until: undefined }) }),
    [navigate],
  );
  return { period, length, isLive: end === undefined, show, follow };
}
