import { word, yesFlag } from '../../../arguments/flags.ts';
import { SvcCommand } from '../../../command.ts';

export default class PolicyColumnMaskDelete extends SvcCommand<typeof PolicyColumnMaskDelete> {
  static override summary = 'Remove a column mask: whom it bound sees the column again';
  static override examples = ['svc policy column-mask delete 01997c2e-7b7a-7c1e-8000-000000000001 --yes'];
  static override args = { id: word('id of the column mask') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm(`Remove the column mask ${this.args.id}? Whom it bound sees the column again.`);
    await this.client.columnMasks.delete(this.args.id);
    this.done(undefined, `Removed the column mask ${this.args.id}.`);
  }
}
