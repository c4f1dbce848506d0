import { stringify } from 'yaml';
import type { FileGrant } from './access-file.ts';
import { type CurrentAccess, fileGrant } from './compare-access.ts';

/** The access of an instance as an access file, in an order that doesn't depend on when it was granted. */
export function accessFileText({ groups, grants }: CurrentAccess): string {
  const sorted = [...groups].sort(([a], [b]) => order(a, b));
  const file = {
    groups: Object.fromEntries(sorted.map(([group, members]) => [group, [...members].sort(order)])),
    grants: grants
      .map(fileGrant)
      .map((grant) => ({ grant, key: sortKey(grant) }))
      .sort((a, b) => order(a.key, b.key))
      .map(({ grant }) => grant),
  };
  return stringify(file, { lineWidth: 0 });
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sortKey = (grant: FileGrant): string => {
  const { environment, namespace, table, service_account, group, principal, role, action, expires_at } = grant;
  return [
    service_account,
    environment,
    namespace,
    table,
    group ?? `\uffff${principal}`,
    role ?? action,
    expires_at,
  ].join('\u0001');
};
