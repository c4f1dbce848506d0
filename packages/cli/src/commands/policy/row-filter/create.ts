import { string } from '@oclif/core/flags';
import { envFlag, tableArg } from '../../../arguments/flags.ts';
import { parseTarget, replaceFlag, targetFlags, targetText } from '../../../arguments/policy-target.ts';
import { SvcCommand } from '../../../svc-command.ts';

export default class PolicyRowFilterCreate extends SvcCommand<typeof PolicyRowFilterCreate> {
  static override summary = 'Filter rows: show a principal or group only the rows that match a predicate';
  static override examples = [
    'svc policy row-filter create sales.orders --env dev --group emea --predicate "region = \'EMEA\'"',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    ...targetFlags,
    predicate: string({ description: 'SQL condition over the columns of the table', helpValue: 'SQL', required: true }),
    ...replaceFlag,
  };

  async run(): Promise<void> {
    const body = { ...parseTarget(this.flags), predicate: this.flags.predicate, replaces: this.flags.replace };
    const filter = await this.client.rowFilters.create(this.environment, this.args.table, body);
    this.done(
      filter,
      `${targetText(filter)} sees the rows of ${filter.table} where ${filter.predicate} (${filter.id}).`,
    );
  }
}
