import { bindPrincipalCommand } from './run-principal.ts';

test.each([
  ['shop', 'svc deployments set-run-as shop --env prod --principal <service account>'],
  ['my shop', "svc deployments set-run-as 'my shop' --env prod --principal <service account>"],
  ['-x', 'svc deployments set-run-as --env prod --principal <service account> -- -x'],
])('%s: the command that binds a run principal is quoted for a shell', (repository, command) =>
  expect(bindPrincipalCommand(repository, 'prod')).toBe(command),
);
