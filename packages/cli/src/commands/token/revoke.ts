import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TokenRevoke extends SvcCommand<typeof TokenRevoke> {
  static override summary = 'Revoke a token';
  static override examples = ['svc token revoke 01997c2e-7b7a-7c1e-8000-000000000001 --yes'];
  static override args = { id: requiredArg('id of the token') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm(`Revoke the token ${this.args.id}? It stops working immediately.`);
    await this.client.tokens.revoke(this.args.id);
    this.done(undefined, `Revoked the token ${this.args.id}.`);
  }
}
