import type { Table } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { sessionQuery } from '../session/session.ts';

/** Whether the signed-in principal can change the comments of a table: with WRITE_TABLE, and as its owner. */
export function useCanEdit(
  env: string,
  { namespace, name, owner }: Pick<Table, 'namespace' | 'name' | 'owner'>,
): boolean {
  const self = useQuery(sessionQuery).data?.principal.name;
  const permission = useOwnPermission('WRITE_TABLE', { environment: env, namespace, table: name });
  return permission?.allowed === true || (owner !== null && owner === self);
}
