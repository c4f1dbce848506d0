import { word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { named } from '../../output/quote.ts';

export default class PrincipalActivate extends SvcCommand<typeof PrincipalActivate> {
  static override summary = 'Let a principal sign in again';
  static override examples = ['svc principal activate ann'];
  static override args = { name: word('name of the principal') };

  async run(): Promise<void> {
    const principal = await this.client.principals.update(this.args.name, { active: true });
    this.done(principal, `Activated ${principal.name}: what is granted to it counts again, and its tokens work again.`);
    if (!this.json) this.note(`Look whether each should: ${named('svc token list', principal.name)}`);
  }
}
