import { requiredArg, yesFlag } from '../../../arguments/flags.ts';
import { SvcCommand } from '../../../svc-command.ts';

export default class PolicyRowFilterDelete extends SvcCommand<typeof PolicyRowFilterDelete> {
  static override summary = 'Delete a row filter, so that all rows are visible again';
  static override examples = ['svc policy row-filter delete 01997c2e-7b7a-7c1e-8000-000000000001 --yes'];
  static override args = { id: requiredArg('id of the row filter') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm(`Delete the row filter ${this.args.id}? Its principal or group sees the hidden rows again.`);
    await this.client.rowFilters.delete(this.args.id);
    this.done(undefined, `Deleted the row filter ${this.args.id}.`);
  }
}
