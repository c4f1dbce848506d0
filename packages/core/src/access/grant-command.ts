import { shellOption } from '../command-lines/index.ts';
import { type Action, ADMIN_ONLY, ROLES, type Role } from './actions.ts';
import { INSTANCE, type ObjectScope } from './objects.ts';

/** The command with which an administrator grants the action or role on an object where the grant takes effect. */
export function grantCommand(principal: string, value: Action | Role, object: ObjectScope): string {
  const adminOnly = ADMIN_ONLY.includes(value as Action);
  const on = adminOnly || value === 'READ_QUERY_TEXT' ? INSTANCE : object;
  const role = adminOnly ? 'ADMIN' : ROLES.find((candidate) => candidate === value);
  const right = role === undefined ? ` --action ${value}` : ` --role ${role}`;
  const scope = [
    ['env', on.environment],
    ['ns', on.namespace],
    ['table', on.table],
    ['service-account', on.service_account ?? null],
  ] as const;
  const names = scope.map(([flag, name]) => (name === null ? '' : ` ${shellOption(flag, name)}`)).join('');
  return `svc grant create --kind ${on.kind} ${shellOption('principal', principal)}${right}${names}`;
}
