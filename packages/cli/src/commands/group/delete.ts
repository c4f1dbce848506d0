import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class GroupDelete extends SvcCommand<typeof GroupDelete> {
  static override summary = 'Delete a group with its grants and memberships';
  static override examples = ['svc group delete analysts --yes'];
  static override args = { name: requiredArg('name of the group') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Delete the group ${name} with its grants and memberships?`);
    await this.client.groups.delete(name);
    this.done(undefined, `Deleted the group ${name}.`);
  }
}
