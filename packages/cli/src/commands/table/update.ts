import { string } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableUpdate extends SvcCommand<typeof TableUpdate> {
  static override summary = 'Update the description, the column descriptions or the owner of a table';
  static override examples = ['svc table update sales.orders --env dev --column-description "amount=In euros"'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    description: string({ description: 'description of the table (empty: remove it)', helpValue: 'TEXT' }),
    'column-description': string({
      description: 'description of a column (empty: remove it)',
      helpValue: 'COLUMN=TEXT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    owner: string({ description: 'new owner', helpValue: 'PRINCIPAL' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { description, owner, 'column-description': columns } = this.flags;
    const body = {
      ...(description === undefined ? {} : { description: description || null }),
      ...(owner === undefined ? {} : { owner }),
      ...(columns === undefined ? {} : { column_descriptions: Object.fromEntries(columns.map(parsePair)) }),
    };
    if (Object.keys(body).length === 0) {
      throw usageError('Nothing to change. Add --description, --column-description or --owner.');
    }
    const table = await this.client.tables.update(
      this.environment,
      this.args.table,
      body,
      breakGlassOption(this.flags),
    );
    this.done(table, `Updated the table ${table.namespace}.${table.name}.`);
  }
}

function parsePair(text: string): [string, string | null] {
  const at = text.indexOf('=');
  if (at <= 0) throw usageError(`Invalid value "${text}" for --column-description. Use COLUMN=TEXT.`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}
