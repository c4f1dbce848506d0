import { string } from '@oclif/core/flags';
import { envFlag, tableArg } from '../../../arguments/flags.ts';
import { parseTarget, replaceFlag, targetFlags, targetText } from '../../../arguments/policy-target.ts';
import { SvcCommand } from '../../../svc-command.ts';

export default class PolicyColumnMaskCreate extends SvcCommand<typeof PolicyColumnMaskCreate> {
  static override summary = 'Mask a column: show a principal or group an expression instead of the values';
  static override examples = [
    'svc policy column-mask create sales.orders --env dev --group emea --column email --expression "\'hidden\'"',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    ...targetFlags,
    column: string({ description: 'column to mask', helpValue: 'COLUMN', required: true }),
    expression: string({
      description: 'SQL expression over the columns of the table',
      helpValue: 'SQL',
      required: true,
    }),
    ...replaceFlag,
  };

  async run(): Promise<void> {
    const { column, expression } = this.flags;
    const body = { ...parseTarget(this.flags), column, expression, replaces: this.flags.replace };
    const mask = await this.client.columnMasks.create(this.environment, this.args.table, body);
    this.done(
      mask,
      `${targetText(mask)} sees ${mask.expression} instead of ${mask.column} in ${mask.table} (${mask.id}).`,
    );
  }
}
