import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class GroupAddMember extends SvcCommand<typeof GroupAddMember> {
  static override summary = 'Add a principal to a group';
  static override examples = ['svc group add-member analysts ann'];
  static override args = { group: requiredArg('name of the group'), principal: requiredArg('name of the principal') };

  async run(): Promise<void> {
    const { group, principal } = this.args;
    await this.client.groups.addMember(group, principal);
    this.done(undefined, `${principal} is a member of ${group}.`);
  }
}
