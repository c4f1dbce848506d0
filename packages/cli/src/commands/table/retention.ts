import { boolean, integer, string } from '@oclif/core/flags';
import type { RetentionRule } from '@svc/sdk';
import { envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { time } from '../../output/format.ts';
import { expiryText, ruleText } from '../../texts/retention-text.ts';

export default class TableRetention extends SvcCommand<typeof TableRetention> {
  static override summary = 'Show or set when a table is dropped for want of use';
  static override examples = [
    'svc table retention tmp.scratch --env dev',
    'svc table retention tmp.scratch --env dev --days 30',
    'svc table retention sales.orders --env dev --never',
  ];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    days: integer({ description: 'after so many days without use, 1 to 3650', helpValue: 'N' }),
    on: string({ description: 'on that day, at midnight UTC', helpValue: 'YYYY-MM-DD' }),
    never: boolean({ description: 'never, whatever the environment says' }),
  };

  async run(): Promise<void> {
    const rule = this.#rule();
    const { table } = this.args;
    const retention =
      rule === null
        ? await this.client.tables.retention(this.environment, table)
        : await this.client.tables.setRetention(this.environment, table, rule);
    this.record(retention, [
      ['table', table],
      ['retention', ruleText(retention)],
      ['set by', retention.set_by],
      ['set', time(retention.set_at)],
      ['last activity', time(retention.last_activity_at)],
      ['expires', expiryText(retention)],
      ...(retention.hold === null ? [] : ([['hold', retention.hold.reason]] as const)),
    ]);
  }

  /** Null to show it. @throws Failed for more than one option */
  #rule(): RetentionRule | null {
    const { days, on, never } = this.flags;
    const given = [days !== undefined, on !== undefined, never === true].filter(Boolean).length;
    if (given > 1) throw usage('Give exactly one of --days, --on and --never; without one the retention is shown.');
    if (days !== undefined) return { days };
    if (on !== undefined) return { on };
    return never ? { never } : null;
  }
}
