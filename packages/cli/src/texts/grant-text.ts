import type { Grant, Permissions } from '@svc/sdk';
import { ADMIN_ONLY } from '../generated/known.ts';
import { time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';

type Scope = {
  environment: string | null;
  namespace: string | null;
  table: string | null;
  service_account?: string | null | undefined;
};

/** An object in the form of `--scope`. */
export function scopeText({ environment, namespace, table, service_account }: Scope): string {
  if (service_account != null) return `service account ${service_account}`;
  return [environment, namespace, table].filter((part) => part !== null).join('/') || 'instance';
}

/** An object in a sentence, with its kind. */
export function objectText(scope: Permissions['scope']): string {
  if (scope.kind === 'SERVICE_ACCOUNT') return scopeText(scope);
  return scope.kind === 'INSTANCE' ? 'the instance' : `${scope.kind.toLowerCase()} ${scopeText(scope)}`;
}

/** When a grant expires; empty for never, and for an older service, which doesn't say. */
export const untilText = ({ expires_at }: Pick<Grant, 'expires_at'>): string =>
  expires_at == null ? '' : ` until ${time(expires_at)}`;

export const GRANT_COLUMNS: readonly TableColumn<Grant>[] = [
  { header: 'id', cell: (grant) => grant.id, id: true },
  { header: 'to', cell: (grant) => (grant.group === null ? grant.principal : `group ${grant.group}`) },
  { header: 'grants', cell: (grant) => `${grant.role ?? grant.action}${untilText(grant)}` },
  { header: 'on', cell: scopeText },
  { header: 'created', cell: (grant) => grant.created_at.slice(0, 10), hide: 1 },
];

/** Of a list of grants that are not used. */
export const LAST_USED: TableColumn<Grant> = {
  header: 'last used',
  cell: ({ last_used_at }) => last_used_at?.slice(0, 10) ?? 'never',
};

type Permission = Permissions['permissions'][number];

export function viaText({ kind, role, group, scope, grant_id }: Permission['via'][number]): string {
  const what = role === null ? 'grant' : `role ${role}`;
  return `${kind === 'group' ? `group ${group}: ` : ''}${what} on ${scopeText(scope)} (${grant_id})`;
}

/** Explains why a grant of a single action has no effect; null for other grants. */
export function withoutEffect({ action }: Pick<Grant, 'action'>): string | null {
  if (action === null || !ADMIN_ONLY.some((one) => one === action)) return null;
  return `${action} needs the ADMIN role on the instance: granted as a single action it has no effect`;
}

export const PERMISSION_COLUMNS: readonly TableColumn<Permission>[] = [
  { header: 'action', cell: ({ action }) => action },
  { header: 'allowed', cell: ({ allowed }) => (allowed ? 'yes' : 'no') },
  { header: 'reason', cell: ({ via, reason }) => (via.length > 0 ? via.map(viaText) : reason), hide: 1 },
];
