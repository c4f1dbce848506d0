import type { ScopeOptions } from '@svc/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';

/** What a principal can do on an object, and why. */
export const permissionsQuery = (principal: string, object: ScopeOptions) =>
  queryOptions({
    queryKey: ['access', 'permissions', principal, object],
    queryFn: ({ signal }) => svc.principals.permissions(principal, object, { signal }),
  });
