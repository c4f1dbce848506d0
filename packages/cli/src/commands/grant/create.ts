import { string } from '@oclif/core/flags';
import { scopeFlags } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { scopeText, withoutEffect } from '../../texts/grant-text.ts';

export default class GrantCreate extends SvcCommand<typeof GrantCreate> {
  static override summary = 'Grant a role or a single action on an object';
  static override examples = [
    'svc grant create --kind environment --principal ann --role DATA_ENGINEER --env dev',
    'svc grant create --kind table --group analysts --action READ_TABLE --env dev --ns sales --table orders',
  ];
  static override flags = {
    kind: string({ description: 'instance, environment, namespace or table', helpValue: 'KIND', required: true }),
    principal: string({ description: 'who gets it', helpValue: 'NAME', exclusive: ['group'] }),
    group: string({ description: 'the group that gets it', helpValue: 'NAME' }),
    role: string({ description: 'ADMIN or DATA_ENGINEER', helpValue: 'ROLE', exclusive: ['action'] }),
    action: string({ description: 'a single action', helpValue: 'ACTION' }),
    ...scopeFlags,
  };

  async run(): Promise<void> {
    const { kind, principal, group, role, action, env, ns, table } = this.flags;
    if (principal === undefined && group === undefined) throw usage('Name who gets it: --principal or --group.');
    if (role === undefined && action === undefined) throw usage('Name what is granted: --role or --action.');
    const named = { principal, group, role, action, environment: env, namespace: ns, table };
    const body = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
    const grant = await this.client.grants.create({ kind, ...body });
    const to = grant.principal ?? `the group ${grant.group}`;
    const idle = withoutEffect(grant);
    if (idle !== null && !this.json) this.note(`${idle}.`);
    this.done(grant, `Granted ${grant.role ?? grant.action} on ${scopeText(grant)} to ${to} (${grant.id}).`);
  }
}
