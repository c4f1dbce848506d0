import { string } from '@oclif/core/flags';
import { columnsOf } from '../../arguments/column-option.ts';
import { breakGlassFlags, breakGlassOf, envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { tellCreated } from '../../texts/created-table.ts';

export default class TableCreateExternal extends SvcCommand<typeof TableCreateExternal> {
  static override summary = 'Register files that lie elsewhere as a table';
  static override examples = [
    'svc table create-external raw.clicks --env dev --location /data/clicks --format parquet',
  ];
  static override description =
    'The location must lie below one that the operator allows. Dropping the table leaves the files alone.';
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    location: string({ description: 'folder or file', helpValue: 'URL', required: true }),
    format: string({ description: 'how the files are written', options: ['csv', 'ndjson', 'parquet'], required: true }),
    column: string({
      description: 'a column; without any they are inferred',
      helpValue: 'NAME:TYPE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    description: string({ description: 'what it holds', helpValue: 'TEXT' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { location, format, column, description } = this.flags;
    const table = await this.client.tables.create(this.environment, this.args.table, {
      kind: 'external',
      location,
      format: format as 'csv',
      ...(column === undefined ? {} : { columns: columnsOf(column) }),
      ...(description === undefined ? {} : { description }),
      ...breakGlassOf(this.flags),
    });
    tellCreated(this, table);
  }
}
