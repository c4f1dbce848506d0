import type { Permissions, ScopeOptions } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../session/session.ts';
import { permissionsQuery } from './queries.ts';

export type Permission = Permissions['permissions'][number];

/** Whether the signed-in principal has an action on an object, as the service says; undefined until it has answered. */
export function useOwnPermission(action: Permission['action'], object: ScopeOptions): Permission | undefined {
  const name = useQuery(sessionQuery).data?.principal.name;
  const { data } = useQuery({
    ...permissionsQuery(name ?? '', object),
    enabled: name !== undefined,
    meta: { quiet: true },
  });
  return data?.permissions.find((permission) => permission.action === action);
}
