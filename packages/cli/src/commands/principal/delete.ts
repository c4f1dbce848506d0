import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalDelete extends SvcCommand<typeof PrincipalDelete> {
  static override summary = 'Delete a principal with its grants, memberships and tokens';
  static override examples = ['svc principal delete ann --yes'];
  static override args = { name: requiredArg('name of the principal') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Delete ${name} with its grants, memberships and tokens?`);
    await this.client.principals.delete(name);
    this.done(undefined, `Deleted ${name}.`);
  }
}
