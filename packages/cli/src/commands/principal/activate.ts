import { SvcCommand } from '../../command.ts';
import { word } from '../../flags.ts';
import { commandLine } from '../../output/quote.ts';

export default class PrincipalActivate extends SvcCommand<typeof PrincipalActivate> {
  static override summary = 'Let a principal sign in again';
  static override examples = ['svc principal activate ann'];
  static override args = { name: word('name of the principal') };

  async run(): Promise<void> {
    const principal = await this.client.principals.update(this.args.name, { active: true });
    this.done(principal, `Activated ${principal.name}: what is granted to it counts again.`);
    const issue = commandLine(['svc', 'token', 'issue', principal.name, 'TOKEN_NAME']);
    if (!this.json) this.note(`The tokens it had stay revoked; a new one: ${issue}`);
  }
}
