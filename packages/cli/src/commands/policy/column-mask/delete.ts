import { requiredArg, yesFlag } from '../../../arguments/flags.ts';
import { SvcCommand } from '../../../svc-command.ts';

export default class PolicyColumnMaskDelete extends SvcCommand<typeof PolicyColumnMaskDelete> {
  static override summary = 'Delete a column mask, so that the column is visible again';
  static override examples = ['svc policy column-mask delete 01997c2e-7b7a-7c1e-8000-000000000001 --yes'];
  static override args = { id: requiredArg('id of the column mask') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm(`Delete the column mask ${this.args.id}? Its principal or group sees the column again.`);
    await this.client.columnMasks.delete(this.args.id);
    this.done(undefined, `Deleted the column mask ${this.args.id}.`);
  }
}
