import { string } from '@oclif/core/flags';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableRelease extends SvcCommand<typeof TableRelease> {
  static override summary = 'Release the hold on a table';
  static override examples = ['svc table release sales.orders --env prod'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    id: string({
      description: 'id of a dropped table (default: the table of this name, or its newest drop)',
      helpValue: 'UUID',
    }),
  };

  async run(): Promise<void> {
    const table = await this.client.tables.release(
      this.environment,
      this.args.table,
      this.flags.id === undefined ? {} : { id: this.flags.id },
    );
    this.done(table, `Released the hold on ${table.namespace}.${table.name}.`);
  }
}
