import { string } from '@oclif/core/flags';
import type { Permissions } from '@svc/sdk';
import { atFlag, optionalArg, parseObject, serviceAccountFlag } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { usageError } from '../../cli-error.ts';
import { escaped } from '../../output/escape.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { objectText, PERMISSION_COLUMNS } from '../../texts/grant-text.ts';

type Permission = Permissions['permissions'][number];

/** @throws CliError if the action isn't one of the object's */
function onlyAction(permissions: Permission[], action: string | undefined): Permission[] {
  if (action === undefined) return permissions;
  const found = permissions.filter((one) => one.action === action.toUpperCase());
  if (found.length > 0) return found;
  const available = permissions.map((one) => one.action).join(', ');
  throw usageError(`Unknown action "${action}" of this object. Available actions: ${available}.`);
}

export default class AccessExplain extends SvcCommand<typeof AccessExplain> {
  static override summary = 'Explain what a principal can do on an object, and why';
  static override examples = [
    'svc access explain',
    'svc access explain ann --scope dev/sales/orders --action READ_TABLE',
    'svc access explain ann --scope prod --at 2026-03-01',
  ];
  static override args = { name: optionalArg('name of the principal (default: you)') };
  static override flags = {
    scope: string({ description: 'object (default: the instance)', helpValue: 'ENV[/NAMESPACE[/TABLE]]' }),
    ...serviceAccountFlag,
    action: string({ description: 'only this action', helpValue: 'ACTION' }),
    ...atFlag,
  };

  async run(): Promise<void> {
    const name = this.args.name ?? (await this.client.access.me()).name;
    const all = await this.client.principals.permissions(name, {
      ...parseObject(this.flags),
      at: parseTime('at', this.flags.at),
    });
    const permissions = { ...all, permissions: onlyAction(all.permissions, this.flags.action) };
    if (this.json) return this.printJson(permissions);
    const moment = permissions.at === undefined ? '' : ` at ${time(permissions.at)}`;
    this.print(escaped(`${permissions.principal} on ${objectText(permissions.scope)}${moment}:`));
    if (permissions.note !== null) this.print(escaped(permissions.note));
    await this.list(permissions.permissions, PERMISSION_COLUMNS, '');
    if (permissions.at !== undefined) return;
    const { proposedGrants } = await import('../../texts/proposed-grants.ts');
    for (const line of proposedGrants(permissions)) this.print(escaped(line));
  }
}
