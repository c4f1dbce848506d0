import { boolean, integer, string } from '@oclif/core/flags';
import { identifierFlag, identifierOption, type NewColumn, parseColumns } from '../../arguments/column-option.ts';
import { csvFlags, csvOptionsOf, firstCsvFlag } from '../../arguments/csv-flags.ts';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { createCommand, createFrom, inferColumns } from '../../loads/create-from-file.ts';
import { formatOf, loadFiles } from '../../loads/table-load.ts';
import { SvcCommand } from '../../svc-command.ts';
import { reportCreated } from '../../texts/created-table.ts';

export default class TableCreate extends SvcCommand<typeof TableCreate> {
  static override summary = 'Create a managed table';
  static override examples = [
    "svc table create sales.orders --env dev --column id:long! --column 'amount:decimal(10,2)'",
    'svc table create sales.orders --env dev --column id:long! --column total:double --identifier-fields id',
    'svc table create sales.orders --env dev --from orders.csv',
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
    }),
    from: string({
      description: 'file whose columns and rows the table gets; --column sets the type of a column',
      helpValue: 'FILE',
    }),
    format: string({
      description: 'format of the file (default: from the extension)',
      options: ['csv', 'ndjson', 'parquet'],
      dependsOn: ['from'],
    }),
    'infer-only': boolean({
      description: 'print the command that creates the table with the columns of the file, and create nothing',
      dependsOn: ['from'],
    }),
    'identifier-fields': identifierFlag('separated by commas'),
    ...csvFlags,
    description: string({ description: 'description of its contents', helpValue: 'TEXT' }),
    'expire-after': integer({
      description: 'days without use after which the table is dropped, 1 to 3650',
      helpValue: 'DAYS',
    }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { column, description, 'expire-after': days, from } = this.flags;
    const columns = parseColumns(column ?? []);
    const options = {
      ...(description === undefined ? {} : { description }),
      ...(days === undefined ? {} : { expire_after: days }),
      ...identifierOption(this.flags),
      ...breakGlassOption(this.flags),
    };
    if (from !== undefined) return this.#createFrom(from, columns, options);
    const stray = firstCsvFlag(this.flags);
    if (stray !== null) throw usageError(`--${stray} is for --from FILE.`);
    if (columns.length === 0) throw usageError('Add --column NAME:TYPE, or --from FILE.');
    const table = await this.client.tables.create(this.environment, this.args.table, { columns, ...options });
    reportCreated(this, table);
  }

  async #createFrom(file: string, columns: NewColumn[], options: Parameters<typeof createFrom>[2]): Promise<void> {
    const { table } = this.args;
    const format = formatOf([file], this.flags.format);
    const source = { table, file, format, columns, ...csvOptionsOf(this.flags, format) };
    if (this.flags['infer-only']) {
      const { columns: inferred } = await inferColumns(this, source);
      this.done({ columns: inferred }, createCommand(table, inferred, this.environment));
      return;
    }
    const { created, csv } = await createFrom(this, source, options);
    await loadFiles(this, { table, files: [file], waits: true }, { format, csv, ...breakGlassOption(this.flags) });
    if (created.retention_error !== undefined) reportCreated(this, created);
  }
}
