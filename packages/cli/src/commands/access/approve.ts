import { string } from '@oclif/core/flags';
import { expiryFlags, parseExpiry } from '../../arguments/expiry.ts';
import { idArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText, untilText } from '../../texts/grant-text.ts';

export default class AccessApprove extends SvcCommand<typeof AccessApprove> {
  static override summary = 'Approve a request for access, which creates the grant';
  static override examples = ['svc access approve latest', 'svc access approve 01997c2e --expires-in 7d'];
  static override args = { id: idArg('access request') };
  static override flags = {
    comment: string({ description: 'text for the requester', helpValue: 'TEXT' }),
    ...expiryFlags,
  };

  async run(): Promise<void> {
    const id = await this.fullId('access request', this.args.id);
    const request = await this.client.accessRequests.approve(id, {
      comment: this.flags.comment,
      expires_at: parseExpiry(this.flags, this.io.now()),
    });
    const { principal, role, action } = request;
    this.done(request, `Approved ${role ?? action} on ${scopeText(request)} for ${principal}${untilText(request)}.`);
  }
}
