import type { QueryParams } from '@svc/core/queries';
import type { Query } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { queryQuery } from './queries.ts';

/**
 * Submits a statement of a tab, shows its query, and cancels it. `onHidden` gets the query instead if the tab is no longer shown:
 * the address then belongs to another tab or page.
 */
export function useRun(env: string, onHidden: (query: string) => void) {
  const navigate = useNavigate({ from: '/$env/sql' });
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const submit = useMutation({
    mutationFn: ({ sql, params }: { sql: string; params: QueryParams | undefined }) =>
      svc.queries.submit(env, sql, { params }),
    onSuccess: (query) => {
      cache.setQueryData<Query>(queryQuery(env, query.id).queryKey, query);
      void cache.invalidateQueries({ queryKey: ['queries', env] });
      if (!isShown.current) return onHidden(query.id);
      // A chart stays, so that its statement can be refined.
      return navigate({
        search: ({ tab, open, saved, ...search }) =>
          tab === 'chart' ? { ...search, open, saved, tab, query: query.id } : { open, saved, query: query.id },
      });
    },
  });
  const cancel = useMutation({
    mutationFn: (id: string) => svc.queries.cancel(env, id),
    onSuccess: (query) => cache.setQueryData<Query>(queryQuery(env, query.id).queryKey, query),
  });
  return { submit, cancel };
}
