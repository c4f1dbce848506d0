import type { Action, Role } from './actions.ts';
import { grantCommand } from './grant-command.ts';
import { INSTANCE, scopeOf } from './objects.ts';

const TABLE = scopeOf({ environment: 'dev', namespace: 'a.b', table: 't' });

test.each([
  ['ann', 'READ_TABLE', TABLE, '--kind TABLE --principal ann --action READ_TABLE --env dev --ns a.b --table t'],
  ['ann', 'RUN', scopeOf({ environment: 'dev' }), '--kind ENVIRONMENT --principal ann --action RUN --env dev'],
  ['ann', 'READ_AUDIT_LOG', INSTANCE, '--kind INSTANCE --principal ann --action READ_AUDIT_LOG'],
  ['ann', 'MANAGE_TOKEN', INSTANCE, '--kind INSTANCE --principal ann --role ADMIN'],
  ['ann', 'ADMIN', TABLE, '--kind TABLE --principal ann --role ADMIN --env dev --ns a.b --table t'],
  ['ann', 'READ_QUERY_TEXT', TABLE, '--kind INSTANCE --principal ann --action READ_QUERY_TEXT'],
  ["o'hara; rm", 'RUN', INSTANCE, `--kind INSTANCE --principal 'o'\\''hara; rm' --action RUN`],
  ['-rf', 'RUN', INSTANCE, '--kind INSTANCE --principal=-rf --action RUN'],
] as const)('%s, %s: the command that grants it', (principal, right, object, expected) => {
  expect(grantCommand(principal, right as Action | Role, object)).toBe(`svc grant create ${expected}`);
});
