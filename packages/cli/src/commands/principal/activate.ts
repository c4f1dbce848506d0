import { SvcCommand } from '../../command.ts';
import { word } from '../../flags.ts';

export default class PrincipalActivate extends SvcCommand<typeof PrincipalActivate> {
  static override summary = 'Let a principal sign in again';
  static override examples = ['svc principal activate ann'];
  static override args = { name: word('name of the principal') };

  async run(): Promise<void> {
    const principal = await this.client.principals.update(this.args.name, { active: true });
    this.done(principal, `Activated ${principal.name}: its tokens work again.`);
  }
}
