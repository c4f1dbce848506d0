import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class GroupCreate extends SvcCommand<typeof GroupCreate> {
  static override summary = 'Create a group';
  static override examples = ['svc group create analysts'];
  static override args = { name: requiredArg('name of the group') };

  async run(): Promise<void> {
    const group = await this.client.groups.create(this.args.name);
    this.done(group, `Created the group ${group.name}.`);
  }
}
