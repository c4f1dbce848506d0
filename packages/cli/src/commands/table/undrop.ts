import { string } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableUndrop extends SvcCommand<typeof TableUndrop> {
  static override summary = 'Restore a dropped table with its data, history and policies';
  static override description =
    'Of several drops of one name the newest is restored; svc table list NAMESPACE --dropped shows them, and --id picks one.';
  static override examples = [
    'svc table undrop sales.orders --env dev',
    'svc table undrop sales.orders --env dev --as orders_before',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    as: string({ description: 'new name of the table, without the namespace', helpValue: 'NEW_NAME' }),
    id: string({ description: 'id of the dropped table (default: the newest of this name)', helpValue: 'UUID' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { as, id } = this.flags;
    const table = await this.client.tables.undrop(this.environment, this.args.table, {
      ...(as === undefined ? {} : { newName: as }),
      ...(id === undefined ? {} : { id }),
      ...breakGlassOption(this.flags),
    });
    const full = `${table.namespace}.${table.name}`;
    this.done(table, full === this.args.table ? `Restored ${full}.` : `Restored ${this.args.table} as ${full}.`);
  }
}
