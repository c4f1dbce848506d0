import type { Permissions, ScopeOptions } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../session/session.ts';
import { permissionsQuery } from './queries.ts';

export type Permission = Permissions['permissions'][number];

/** What the signed-in principal can do on an object, as the service reports. */
export function useOwnPermissions(object: ScopeOptions) {
  const name = useQuery(sessionQuery).data?.principal.name;
  return useQuery({
    ...permissionsQuery(name ?? '', object),
    enabled: name !== undefined,
    meta: { quiet: true },
  });
}

/** Whether the signed-in principal has an action on an object; undefined until the service has answered. */
export function useOwnPermission(action: Permission['action'], object: ScopeOptions): Permission | undefined {
  return useOwnPermissions(object).data?.permissions.find((permission) => permission.action === action);
}
