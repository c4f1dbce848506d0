import { type Action, ADMIN_ONLY } from './actions.ts';
import { INSTANCE, type ObjectScope } from './objects.ts';

/** Quotes a name for a shell only where it needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// A value that begins with "-" would be taken for an option.
const option = (flag: string, value: string) =>
  value.startsWith('-') ? ` --${flag}=${shellWord(value)}` : ` --${flag} ${shellWord(value)}`;

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
  const names = scope.map(([flag, name]) => (name === null ? '' : option(flag, name))).join('');
  return `svc grant create --kind ${on.kind}${option('principal', principal)}${right}${names}`;
}
