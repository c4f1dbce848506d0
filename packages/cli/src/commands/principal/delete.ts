import { word, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';

export default class PrincipalDelete extends SvcCommand<typeof PrincipalDelete> {
  static override summary = 'Delete a principal: ends its grants, memberships and tokens';
  static override examples = ['svc principal delete ann --yes'];
  static override args = { name: word('name of the principal') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Delete ${name}? Its grants, memberships and tokens end.`);
    await this.client.principals.delete(name);
    this.done(undefined, `Deleted ${name}.`);
  }
}
