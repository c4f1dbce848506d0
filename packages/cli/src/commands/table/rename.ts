import { breakGlassFlags, breakGlassOption, envFlag, requiredArg, tableArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableRename extends SvcCommand<typeof TableRename> {
  static override summary = 'Rename a table or view, or move it to another namespace';
  static override description =
    'Its id, rows, history, grants, policies and retention stay with it. Views and assets that name it must be changed: an asset builds a new table of the old name at its next run.';
  static override examples = [
    'svc table rename sales.orders sales.orders_2025 --env dev',
    'svc table rename sales.orders archive.orders --env dev',
  ];
  static override args = { table: tableArg(), 'new-name': requiredArg('new name: <namespace>.<table>') };
  static override flags = { ...envFlag, ...breakGlassFlags };

  async run(): Promise<void> {
    const { table, 'new-name': to } = this.args;
    const renamed = await this.client.tables.rename(this.environment, table, to, breakGlassOption(this.flags));
    this.done(renamed, `Renamed ${table} to ${renamed.namespace}.${renamed.name}.`);
  }
}
