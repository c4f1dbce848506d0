import { type Action, ADMIN_ONLY } from './actions.ts';
import { INSTANCE, type ObjectScope } from './objects.ts';
import { shellOption } from './shell-words.ts';

/** The command with which an administrator gives a principal the right, where granting it has an effect (2.2). */
export function grantCommand(principal: string, action: Action, object: ObjectScope): string {
  const adminOnly = ADMIN_ONLY.includes(action);
  const on = adminOnly || action === 'READ_QUERY_TEXT' ? INSTANCE : object;
  const right = adminOnly ? ' --role ADMIN' : ` --action ${action}`;
  const scope = [
    ['env', on.environment],
    ['ns', on.namespace],
    ['table', on.table],
  ] as const;
  const names = scope.map(([flag, name]) => (name === null ? '' : ` ${shellOption(flag, name)}`)).join('');
  return `svc grant create --kind ${on.kind} ${shellOption('principal', principal)}${right}${names}`;
}
