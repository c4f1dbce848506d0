import { idArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class AccessWithdraw extends SvcCommand<typeof AccessWithdraw> {
  static override summary = 'Withdraw a pending request for access of yours';
  static override examples = ['svc access withdraw latest'];
  static override args = { id: idArg('access request') };

  async run(): Promise<void> {
    const id = await this.fullId('access request', this.args.id);
    await this.client.accessRequests.withdraw(id);
    this.done(undefined, `Withdrew the request ${id}.`);
  }
}
