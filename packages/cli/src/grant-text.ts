import type { Grant, Permissions } from '@svc/sdk';
import type { TableColumn } from './output/table.ts';

type Scope = { environment: string | null; namespace: string | null; table: string | null };

/** An object as the specification writes it (2.1). */
export function scopeText({ environment, namespace, table }: Scope): string {
  return [environment, namespace, table].filter((part) => part !== null).join('/') || 'instance';
}

export const GRANT_COLUMNS: readonly TableColumn<Grant>[] = [
  { header: 'id', cell: (grant) => grant.id },
  { header: 'to', cell: (grant) => (grant.group === null ? grant.principal : `group ${grant.group}`) },
  { header: 'grants', cell: (grant) => grant.role ?? grant.action },
  { header: 'on', cell: scopeText },
  { header: 'created', cell: (grant) => grant.created_at.slice(0, 10), hide: 1 },
];

type Permission = Permissions['permissions'][number];

export function viaText({ kind, role, group, scope, grant_id }: Permission['via'][number]): string {
  const what = role === null ? 'grant' : `role ${role}`;
  return `${kind === 'group' ? `group ${group}: ` : ''}${what} on ${scopeText(scope)} (${grant_id})`;
}

export const PERMISSION_COLUMNS: readonly TableColumn<Permission>[] = [
  { header: 'action', cell: ({ action }) => action },
  { header: 'allowed', cell: ({ allowed }) => (allowed ? 'yes' : 'no') },
  { header: 'through, or why not', cell: ({ via, reason }) => (via.length > 0 ? via.map(viaText) : reason), hide: 1 },
];
