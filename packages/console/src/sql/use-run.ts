import type { QueryParams } from '@svc/core/queries';
import type { Query } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { queryQuery } from './queries.ts';

/** Submits a statement, shows its query, and cancels it. */
export function useRun(env: string) {
  const navigate = useNavigate({ from: '/$env/sql' });
  const submit = useMutation({
    mutationFn: ({ sql, params }: { sql: string; params: QueryParams | undefined }) =>
      svc.queries.submit(env, sql, { params }),
    onSuccess: (query) => {
      cache.setQueryData<Query>(queryQuery(env, query.id).queryKey, query);
      void cache.invalidateQueries({ queryKey: ['queries', env] });
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
