import { string } from '@oclif/core/flags';
import { parseColumns } from '../../arguments/column-option.ts';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { reportCreated } from '../../texts/created-table.ts';

export default class TableCreateExternal extends SvcCommand<typeof TableCreateExternal> {
  static override summary = 'Register existing files as an external table';
  static override examples = [
    'svc table create-external raw.clicks --env dev --location /data/clicks --format parquet',
  ];
  static override description =
    'The location must be below one that the operator allows. Dropping the table leaves the files in place.';
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    location: string({ description: 'folder or file with the data', helpValue: 'URL', required: true }),
    format: string({ description: 'format of the files', options: ['csv', 'ndjson', 'parquet'], required: true }),
    column: string({
      description: 'column of the table (default: inferred from the files)',
      helpValue: 'NAME:TYPE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    description: string({ description: 'description of its contents', helpValue: 'TEXT' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { location, format, column, description } = this.flags;
    const table = await this.client.tables.create(this.environment, this.args.table, {
      kind: 'external',
      location,
      format: format as 'csv',
      ...(column === undefined ? {} : { columns: parseColumns(column) }),
      ...(description === undefined ? {} : { description }),
      ...breakGlassOption(this.flags),
    });
    reportCreated(this, table);
  }
}
