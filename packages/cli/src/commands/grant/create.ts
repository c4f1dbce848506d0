import { string } from '@oclif/core/flags';
import { expiryFlags, parseExpiry } from '../../arguments/expiry.ts';
import { scopeFlags, scopeNames } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText, untilText, withoutEffect } from '../../texts/grant-text.ts';

export default class GrantCreate extends SvcCommand<typeof GrantCreate> {
  static override summary = 'Grant a role or a single action on an object';
  static override examples = [
    'svc grant create --kind environment --principal ann --role DATA_ENGINEER --env dev',
    'svc grant create --kind namespace --group analysts --role ANALYST --env prod --ns marts',
    'svc grant create --kind table --group analysts --action READ_TABLE --env dev --ns sales --table orders',
    'svc grant create --kind environment --principal ann --role DATA_ENGINEER --env prod --expires-in 8h',
    'svc grant create --kind service_account --principal ann --action ACT_AS --service-account nightly',
  ];
  static override flags = {
    kind: string({
      description: 'kind of object: instance, environment, namespace, table or service_account',
      helpValue: 'KIND',
      required: true,
    }),
    principal: string({ description: 'principal to grant to', helpValue: 'NAME', exclusive: ['group'] }),
    group: string({ description: 'group to grant to', helpValue: 'NAME' }),
    role: string({
      description: 'role to grant: ADMIN, DATA_ENGINEER or ANALYST',
      helpValue: 'ROLE',
      exclusive: ['action'],
    }),
    action: string({ description: 'single action to grant', helpValue: 'ACTION' }),
    ...scopeFlags,
    ...expiryFlags,
  };

  async run(): Promise<void> {
    const { kind, principal, group, role, action } = this.flags;
    if (principal === undefined && group === undefined)
      throw usageError('Specify who to grant to: --principal or --group.');
    if (role === undefined && action === undefined) throw usageError('Specify what to grant: --role or --action.');
    const expires_at = parseExpiry(this.flags, this.io.now());
    const request = { principal, group, role, action, ...scopeNames(this.flags), expires_at };
    const body = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
    const grant = await this.client.grants.create({ kind, ...body });
    const to = grant.principal ?? `the group ${grant.group}`;
    const idle = withoutEffect(grant);
    if (idle !== null && !this.json) this.note(`${idle}.`);
    this.done(
      grant,
      `Granted ${grant.role ?? grant.action} on ${scopeText(grant)} to ${to}${untilText(grant)} (${grant.id}).`,
    );
  }
}
