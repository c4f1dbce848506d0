import { envFlag, tableArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableRelease extends SvcCommand<typeof TableRelease> {
  static override summary = 'Release the hold on a table';
  static override examples = ['svc table release sales.orders --env prod'];
  static override args = { table: tableArg() };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const table = await this.client.tables.release(this.environment, this.args.table);
    this.done(table, `Released the hold on ${table.namespace}.${table.name}.`);
  }
}
