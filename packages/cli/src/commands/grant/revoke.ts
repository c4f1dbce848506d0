import { SvcCommand } from '../../command.ts';
import { word, yesFlag } from '../../flags.ts';

export default class GrantRevoke extends SvcCommand<typeof GrantRevoke> {
  static override summary = 'Revoke a grant';
  static override examples = ['svc grant revoke 01997c2e-7b7a-7c1e-8000-000000000001'];
  static override args = { id: word('id of the grant, as grant list shows it') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.client.grants.revoke(this.args.id);
    this.done(undefined, `Revoked the grant ${this.args.id}.`);
  }
}
