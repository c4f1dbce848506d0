import type { ScopeOptions } from '@svc/sdk/browser';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';
import { cache, PAGED } from '../service/queries.ts';
import { DAY } from '../text/periods.ts';

const PAGE = 100;

/** What a principal can do on an object, and why. */
export const permissionsQuery = (principal: string, object: ScopeOptions) =>
  queryOptions({
    queryKey: ['access', 'permissions', principal, object],
    queryFn: ({ signal }) => svc.principals.permissions(principal, object, { signal }),
  });

/** Who can perform an action on an object, and why. */
export const whoQuery = (action: string, object: ScopeOptions) =>
  infiniteQueryOptions({
    queryKey: ['access', 'who', action, object],
    queryFn: ({ pageParam, signal }) =>
      svc.access.whoPage({ ...object, action: action as never, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

/** The objects that a principal can access, and why. */
export const objectsQuery = (principal: string) =>
  infiniteQueryOptions({
    queryKey: ['access', 'objects', principal],
    queryFn: ({ pageParam, signal }) =>
      svc.principals.objectsPage(principal, { limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

export interface GrantFilters {
  readonly principal?: string | undefined;
  readonly group?: string | undefined;
  readonly action?: string | undefined;
  /** Days: only those that have allowed nothing for that long. */
  readonly unusedDays?: number | undefined;
}

/** The start of the day that many days ago: the same for every page of a list. */
const startOfDay = (daysAgo: number) => new Date((Math.floor(Date.now() / DAY) - daysAgo) * DAY).toISOString();

export const grantsQuery = ({ principal, group, action, unusedDays }: GrantFilters, object: ScopeOptions | null) =>
  infiniteQueryOptions({
    queryKey: ['access', 'grants', principal, group, action, unusedDays, object],
    queryFn: ({ pageParam, signal }) =>
      svc.grants.listPage({
        principal_name: principal,
        group_name: group,
        action: action as never,
        unused_since: unusedDays === undefined ? undefined : startOfDay(unusedDays),
        ...object,
        limit: PAGE,
        cursor: pageParam,
        signal,
      }),
    ...PAGED,
  });

/** Requests for access: the caller's, and for administrators those of everyone. */
export const accessRequestsQuery = (state: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['access', 'requests', state],
    queryFn: ({ pageParam, signal }) => svc.accessRequests.listPage({ state, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

/** What revoking a grant would take away. */
export const revocationQuery = (id: string) =>
  queryOptions({
    queryKey: ['access', 'revocation', id],
    queryFn: ({ signal }) => svc.grants.previewRevocation(id, { signal }),
    // Each dialog shows the effect at this time, not one of an earlier dialog.
    staleTime: 0,
    gcTime: 0,
  });

export const groupsQuery = (search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['access', 'groups', search],
    queryFn: ({ pageParam, signal }) => svc.groups.listPage({ search, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

export const membersQuery = (group: string) =>
  queryOptions({
    queryKey: ['access', 'members', group],
    queryFn: ({ signal }) => svc.groups.members(group, { signal }),
  });

export const principalsQuery = (search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['access', 'principals', search],
    queryFn: ({ pageParam, signal }) => svc.principals.listPage({ search, limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

export const tokensQuery = (principal: string) =>
  queryOptions({
    queryKey: ['access', 'tokens', principal],
    queryFn: ({ signal }) => svc.tokens.list(principal, { signal }),
  });

export const workloadsQuery = (principal: string) =>
  queryOptions({
    queryKey: ['access', 'workloads', principal],
    queryFn: ({ signal }) => svc.workloadIdentities.list(principal, { signal }),
  });

/** The credential of the console itself. */
export const meQuery = queryOptions({
  queryKey: ['access', 'me'],
  queryFn: ({ signal }) => svc.access.me({ signal }),
});

/** Loads everything of the pages again that is shown, after a change. */
export const refreshAccess = (): Promise<void> => cache.invalidateQueries({ queryKey: ['access'] });
