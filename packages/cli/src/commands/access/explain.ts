import { string } from '@oclif/core/flags';
import { optionalArg, parseScope } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { grantCommand, objectText, PERMISSION_COLUMNS } from '../../texts/grant-text.ts';

export default class AccessExplain extends SvcCommand<typeof AccessExplain> {
  static override summary = 'Explain what a principal can do on an object, and why';
  static override examples = ['svc access explain', 'svc access explain ann --scope dev/sales/orders'];
  static override args = { name: optionalArg('name of the principal (default: you)') };
  static override flags = {
    scope: string({ description: 'object (default: the instance)', helpValue: 'ENV[/NAMESPACE[/TABLE]]' }),
  };

  async run(): Promise<void> {
    const name = this.args.name ?? (await this.client.access.me()).name;
    const permissions = await this.client.principals.permissions(name, parseScope(this.flags.scope));
    if (this.json) return this.printJson(permissions);
    this.print(escaped(`${permissions.principal} on ${objectText(permissions.scope)}:`));
    if (permissions.note !== null) this.print(escaped(permissions.note));
    await this.list(permissions.permissions, PERMISSION_COLUMNS, '');
    const missing = permissions.permissions
      .filter(({ allowed }) => !allowed)
      .map(({ action }) => grantCommand(permissions, action));
    if (missing.length === 0) return;
    const commands = [...new Set(missing)].map((command) => `  ${escaped(command)}`);
    this.print(['', 'An administrator can grant the missing actions with:', ...commands].join('\n'));
  }
}
