import { grantCommand, type ProposedGrant, smallestGrants } from '@svc/core/access';
import type { Permissions } from '@svc/sdk';

/** The grants of the missing actions as commands: the smallest first, and ADMIN only for what nothing smaller allows. */
export function proposedGrants({ principal, scope, permissions }: Permissions): string[] {
  const missing = permissions.filter(({ allowed }) => !allowed).map(({ action }) => action);
  const { single, roles, admin } = smallestGrants(missing);
  const listed = ({ actions }: ProposedGrant) => actions.join(', ');
  const sections: [string, string[]][] = [
    [
      'An administrator can grant the missing actions with:',
      single.map(({ value }) => grantCommand(principal, value, scope)),
    ],
    ...roles.map((role): [string, string[]] => [
      `Or one role that allows ${listed(role)}:`,
      [grantCommand(principal, role.value, scope)],
    ]),
    // grantCommand names the role where it has an effect, which is the instance.
    admin === null
      ? ['', []]
      : [
          `Only the ADMIN role on the instance allows ${listed(admin)}:`,
          [grantCommand(principal, admin.actions[0]!, scope)],
        ],
  ];
  return sections.flatMap(([title, commands]) =>
    commands.length === 0 ? [] : ['', title, ...commands.map((command) => `  ${command}`)],
  );
}
