import { string } from '@oclif/core/flags';
import { envFlag, tableWord } from '../../../arguments/flags.ts';
import { targetFlags, targetOf, targetText } from '../../../arguments/policy-target.ts';
import { SvcCommand } from '../../../command.ts';

export default class PolicyRowFilterCreate extends SvcCommand<typeof PolicyRowFilterCreate> {
  static override summary = 'Show a principal or a group only the rows for which a predicate holds';
  static override examples = [
    'svc policy row-filter create sales.orders --env dev --group emea --predicate "region = \'EMEA\'"',
  ];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    ...targetFlags,
    predicate: string({ description: 'an SQL condition on the columns', helpValue: 'SQL', required: true }),
  };

  async run(): Promise<void> {
    const body = { ...targetOf(this.flags), predicate: this.flags.predicate };
    const filter = await this.client.rowFilters.create(this.environment, this.args.table, body);
    this.done(
      filter,
      `${targetText(filter)} sees the rows of ${filter.table} where ${filter.predicate} (${filter.id}).`,
    );
  }
}
