import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class GroupRemoveMember extends SvcCommand<typeof GroupRemoveMember> {
  static override summary = 'Remove a principal from a group';
  static override examples = ['svc group remove-member analysts ann'];
  static override args = { group: requiredArg('name of the group'), principal: requiredArg('name of the principal') };

  async run(): Promise<void> {
    const { group, principal } = this.args;
    await this.client.groups.removeMember(group, principal);
    this.done(undefined, `${principal} is no longer a member of ${group}.`);
  }
}
