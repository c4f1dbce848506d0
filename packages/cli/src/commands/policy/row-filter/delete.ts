import { word, yesFlag } from '../../../arguments/flags.ts';
import { SvcCommand } from '../../../command.ts';

export default class PolicyRowFilterDelete extends SvcCommand<typeof PolicyRowFilterDelete> {
  static override summary = 'Remove a row filter: whom it bound sees those rows again';
  static override examples = ['svc policy row-filter delete 01997c2e-7b7a-7c1e-8000-000000000001 --yes'];
  static override args = { id: word('id of the row filter') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm(`Remove the row filter ${this.args.id}? Whom it bound sees those rows again.`);
    await this.client.rowFilters.delete(this.args.id);
    this.done(undefined, `Removed the row filter ${this.args.id}.`);
  }
}
