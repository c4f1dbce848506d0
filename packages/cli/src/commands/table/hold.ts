import { string } from '@oclif/core/flags';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableHold extends SvcCommand<typeof TableHold> {
  static override summary = 'Place a hold on a table, so that no purge, retention or sweep deletes its files';
  static override examples = ['svc table hold sales.orders --env prod --reason "case 12" --until 2027-01-01'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    reason: string({ description: 'reason, for the audit log', helpValue: 'TEXT', required: true }),
    id: string({
      description: 'id of a dropped table (default: the table of this name, or its newest drop)',
      helpValue: 'UUID',
    }),
    until: string({
      description: 'day, or time with a zone, at which the hold ends (default: when it is released)',
      helpValue: 'DATE',
    }),
  };

  async run(): Promise<void> {
    const { reason, until, id } = this.flags;
    const table = await this.client.tables.hold(this.environment, this.args.table, {
      reason,
      ...(until === undefined ? {} : { until }),
      ...(id === undefined ? {} : { id }),
    });
    const duration = table.hold?.until == null ? 'until it is released' : `until ${time(table.hold.until)}`;
    this.done(table, `Placed a hold on ${table.namespace}.${table.name} ${duration}.`);
  }
}
