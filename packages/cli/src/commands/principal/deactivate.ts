import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalDeactivate extends SvcCommand<typeof PrincipalDeactivate> {
  static override summary = 'Stop the tokens of a principal; its grants stay';
  static override examples = ['svc principal deactivate ann --yes'];
  static override args = { name: requiredArg('name of the principal') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm(`Deactivate ${this.args.name}? Its tokens stop working.`);
    const principal = await this.client.principals.update(this.args.name, { active: false });
    this.done(principal, `Deactivated ${principal.name}: its tokens no longer work.`);
  }
}
