import { shellCommand } from '@svc/core/command-lines';
import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalActivate extends SvcCommand<typeof PrincipalActivate> {
  static override summary = 'Activate a principal, so that it can sign in again';
  static override examples = ['svc principal activate ann'];
  static override args = { name: requiredArg('name of the principal') };

  async run(): Promise<void> {
    const principal = await this.client.principals.update(this.args.name, { active: true });
    this.done(principal, `Activated ${principal.name}. Its grants apply again, and its tokens work again.`);
    if (!this.json) this.note(`To review its tokens: ${shellCommand('svc token list', principal.name, [])}`);
  }
}
