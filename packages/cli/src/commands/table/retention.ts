import { boolean, integer, string } from '@oclif/core/flags';
import type { RetentionRule } from '@svc/sdk';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { expiryText, ruleText } from '../../texts/retention-text.ts';

export default class TableRetention extends SvcCommand<typeof TableRetention> {
  static override summary = 'Show or set when an unused table is dropped';
  static override examples = [
    'svc table retention tmp.scratch --env dev',
    'svc table retention tmp.scratch --env dev --days 30',
    'svc table retention sales.orders --env dev --never',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    days: integer({ description: 'days without use, 1 to 3650', helpValue: 'N' }),
    on: string({ description: 'expiry day, at midnight UTC', helpValue: 'YYYY-MM-DD' }),
    never: boolean({ description: 'never drop the table, regardless of the environment' }),
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

  /** The new rule, or null to show the active one. @throws CliError if there is more than one option */
  #rule(): RetentionRule | null {
    const { days, on, never } = this.flags;
    const value = [days !== undefined, on !== undefined, never === true].filter(Boolean).length;
    if (value > 1) throw usageError('Use only one of --days, --on and --never, or none of them to show the retention.');
    if (days !== undefined) return { days };
    if (on !== undefined) return { on };
    return never ? { never } : null;
  }
}
