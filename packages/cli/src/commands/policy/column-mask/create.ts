import { string } from '@oclif/core/flags';
import { envFlag, tableWord } from '../../../arguments/flags.ts';
import { targetFlags, targetOf, targetText } from '../../../arguments/policy-target.ts';
import { SvcCommand } from '../../../command.ts';

export default class PolicyColumnMaskCreate extends SvcCommand<typeof PolicyColumnMaskCreate> {
  static override summary = 'Show a principal or a group an expression in place of a column';
  static override examples = [
    'svc policy column-mask create sales.orders --env dev --group emea --column email --expression "\'hidden\'"',
  ];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    ...targetFlags,
    column: string({ description: 'the column', helpValue: 'COLUMN', required: true }),
    expression: string({ description: 'an SQL expression on the columns', helpValue: 'SQL', required: true }),
  };

  async run(): Promise<void> {
    const { column, expression } = this.flags;
    const body = { ...targetOf(this.flags), column, expression };
    const mask = await this.client.columnMasks.create(this.environment, this.args.table, body);
    this.done(mask, `${targetText(mask)} sees ${mask.expression} for ${mask.column} of ${mask.table} (${mask.id}).`);
  }
}
