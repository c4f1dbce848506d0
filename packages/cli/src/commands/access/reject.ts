import { string } from '@oclif/core/flags';
import { idArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText } from '../../texts/grant-text.ts';

export default class AccessReject extends SvcCommand<typeof AccessReject> {
  static override summary = 'Reject a request for access';
  static override examples = ["svc access reject 01997c2e --comment 'use marts.orders instead'"];
  static override args = { id: idArg('access request') };
  static override flags = {
    comment: string({ description: 'text for the requester', helpValue: 'TEXT' }),
  };

  async run(): Promise<void> {
    const id = await this.fullId('access request', this.args.id);
    const request = await this.client.accessRequests.reject(id, { comment: this.flags.comment });
    const { principal, role, action } = request;
    this.done(request, `Rejected ${role ?? action} on ${scopeText(request)} for ${principal}.`);
  }
}
