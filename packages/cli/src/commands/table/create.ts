import { integer, string } from '@oclif/core/flags';
import { parseColumns } from '../../arguments/column-option.ts';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { reportCreated } from '../../texts/created-table.ts';

export default class TableCreate extends SvcCommand<typeof TableCreate> {
  static override summary = 'Create a managed table';
  static override examples = [
    "svc table create sales.orders --env dev --column id:long! --column 'amount:decimal(10,2)'",
    'svc table create tmp.scratch --env dev --column name:string --expire-after 7',
  ];
  static override description =
    'Types are Iceberg types (boolean int long float double decimal(p,s) date time timestamp timestamptz string uuid binary list<…> map<…,…> struct<…>) or SQL types. A "!" after the type makes the column required.';
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    column: string({
      description: 'column of the table',
      helpValue: 'NAME:TYPE',
      multiple: true,
      multipleNonGreedy: true,
      required: true,
    }),
    description: string({ description: 'description of its contents', helpValue: 'TEXT' }),
    'expire-after': integer({
      description: 'days without use after which the table is dropped, 1 to 3650',
      helpValue: 'DAYS',
    }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { column, description, 'expire-after': days } = this.flags;
    const table = await this.client.tables.create(this.environment, this.args.table, {
      columns: parseColumns(column),
      ...(description === undefined ? {} : { description }),
      ...(days === undefined ? {} : { expire_after: days }),
      ...breakGlassOption(this.flags),
    });
    reportCreated(this, table);
  }
}
