import { SvcError } from '@svc/sdk/browser';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import { svc } from './client.ts';

/** The client retries what can be retried, and a page shows the other errors. */
export const cache = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true } },
});

const LIMITS = ['password-change-required', 'second-factor-setup-required'];

/** Whether the service no longer accepts the session, or until the person has changed the password or added a second factor. */
export const rejectsSession = (error: unknown): boolean =>
  error instanceof SvcError && (error.status === 401 || LIMITS.includes(error.code));

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: ({ signal }) => svc.environments.list({ signal }),
  staleTime: 60_000,
});

/** A list that is loaded page by page, each with the cursor of the one before. */
export const PAGED = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { readonly next_cursor: string | null }) => next_cursor ?? undefined,
};
