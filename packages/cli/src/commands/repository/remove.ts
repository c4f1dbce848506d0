import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class RepositoryRemove extends SvcCommand<typeof RepositoryRemove> {
  static override summary = "Remove a repository that isn't deployed";
  static override examples = ['svc repository remove shop --yes'];
  static override args = { name: requiredArg('name of the repository') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Remove the repository ${name}?`);
    await this.client.repositories.delete(name);
    this.done(undefined, `Removed the repository ${name}.`);
  }
}
