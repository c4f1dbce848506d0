import { envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';

export default class TableRelease extends SvcCommand<typeof TableRelease> {
  static override summary = 'End the hold on a table';
  static override examples = ['svc table release sales.orders --env prod'];
  static override args = { table: tableWord() };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const table = await this.client.tables.release(this.environment, this.args.table);
    this.done(table, `Released ${table.namespace}.${table.name}.`);
  }
}
