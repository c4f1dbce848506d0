import { string } from '@oclif/core/flags';
import { envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { time } from '../../output/format.ts';

export default class TableHold extends SvcCommand<typeof TableHold> {
  static override summary = 'Keep the files of a table from being deleted, by purge, retention or sweep';
  static override examples = ['svc table hold sales.orders --env prod --reason "case 12" --until 2027-01-01'];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    reason: string({ description: 'why, for the audit log', helpValue: 'TEXT', required: true }),
    until: string({ description: 'ends by itself on that day, or at that time with its zone', helpValue: 'DATE' }),
  };

  async run(): Promise<void> {
    const { reason, until } = this.flags;
    const table = await this.client.tables.hold(this.environment, this.args.table, {
      reason,
      ...(until === undefined ? {} : { until }),
    });
    const end = table.hold?.until == null ? 'until it is released' : `until ${time(table.hold.until)}`;
    this.done(table, `Holding ${table.namespace}.${table.name} ${end}.`);
  }
}
