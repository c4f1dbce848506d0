import { string } from '@oclif/core/flags';
import { commaSeparated, identifierFlag, identifierOption, parseColumns } from '../../arguments/column-option.ts';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

const several = { multiple: true, multipleNonGreedy: true } as const;

export default class TableAlter extends SvcCommand<typeof TableAlter> {
  static override summary =
    'Add, rename, reorder or drop columns of a managed table, widen their types, or set its identifier fields';
  static override examples = [
    'svc table alter sales.orders --add note:string --rename amount=total --env dev',
    'svc table alter sales.orders --type id:long --drop legacy --order id,total --env dev',
  ];
  static override description =
    'The files of the table stay as they are. A type can become wider: int to long, float to double, a decimal one with more digits before the point.';
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    add: string({
      description: 'new column; existing rows have no value for it',
      helpValue: 'NAME:TYPE',
      ...several,
    }),
    rename: string({ description: 'new name of a column', helpValue: 'OLD=NEW', ...several }),
    type: string({ description: 'wider type of a column', helpValue: 'NAME:TYPE', ...several }),
    'identifier-fields': identifierFlag("separated by commas; '' for none"),
    optional: string({
      description: 'column that may be null from now on',
      helpValue: 'NAME',
      ...several,
    }),
    drop: string({ description: 'column to drop', helpValue: 'NAME', ...several }),
    order: string({ description: 'columns that come first, separated by commas', helpValue: 'NAME,NAME' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { add, rename, type, optional, drop, order } = this.flags;
    const changes = {
      ...(add === undefined ? {} : { add: parseColumns(add) }),
      ...(rename === undefined ? {} : { rename: Object.fromEntries(rename.map(renaming)) }),
      ...(type === undefined ? {} : { types: Object.fromEntries(parseColumns(type).map((c) => [c.name, c.type])) }),
      ...identifierOption(this.flags),
      ...(optional === undefined ? {} : { optional }),
      ...(drop === undefined ? {} : { drop }),
      ...(order === undefined ? {} : { order: commaSeparated(order) }),
    };
    if (Object.keys(changes).length === 0)
      throw usageError(
        'Add at least one of --add, --rename, --type, --identifier-fields, --optional, --drop and --order.',
      );
    const table = await this.client.tables.alter(
      this.environment,
      this.args.table,
      changes,
      breakGlassOption(this.flags),
    );
    const columns = table.columns.map(({ name, type: column }) => `${name} ${column}`).join(', ');
    this.done(table, `Changed ${this.args.table}: ${columns}.`);
  }
}

function renaming(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1) throw usageError(`--rename ${text} must have the form OLD=NEW.`);
  return [text.slice(0, at), text.slice(at + 1)];
}
