import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class IndexRemove extends SvcCommand<typeof IndexRemove> {
  static override summary = 'Remove a package index';
  static override examples = ['svc index remove corp --yes'];
  static override args = { name: requiredArg('name of the package index') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(
      `Remove the package index ${name}? Projects whose lock file contains it stop until you register it again.`,
    );
    await this.client.packageIndexes.delete(name);
    this.done(undefined, `Deleted the package index ${name}.`);
  }
}
