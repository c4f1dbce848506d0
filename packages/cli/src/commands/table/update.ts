import { string } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOf, envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';

export default class TableUpdate extends SvcCommand<typeof TableUpdate> {
  static override summary = 'Describe a table or its columns, or hand it to another owner';
  static override examples = ['svc table update sales.orders --env dev --column-description "amount=In euros"'];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    description: string({ description: 'what it holds; empty removes it', helpValue: 'TEXT' }),
    'column-description': string({
      description: 'what a column holds; empty removes it',
      helpValue: 'COLUMN=TEXT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    owner: string({ description: 'name of the new owner', helpValue: 'PRINCIPAL' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { description, owner, 'column-description': columns } = this.flags;
    const body = {
      ...(description === undefined ? {} : { description: description || null }),
      ...(owner === undefined ? {} : { owner }),
      ...(columns === undefined ? {} : { column_descriptions: Object.fromEntries(columns.map(pairOf)) }),
    };
    if (Object.keys(body).length === 0) {
      throw usage('Nothing to change: give --description, --column-description or --owner.');
    }
    const table = await this.client.tables.update(this.environment, this.args.table, body, breakGlassOf(this.flags));
    this.done(table, `Updated the table ${table.namespace}.${table.name}.`);
  }
}

function pairOf(text: string): [string, string | null] {
  const at = text.indexOf('=');
  if (at <= 0) throw usage(`--column-description "${text}": write COLUMN=TEXT.`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}
