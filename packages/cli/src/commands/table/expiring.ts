import { string } from '@oclif/core/flags';
import type { ExpiringTable } from '@svc/sdk';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { EXPIRING_COLUMNS } from '../../texts/expiring-columns.ts';
import { neverExpireCommand } from '../../texts/retention-text.ts';

export default class TableExpiring extends SvcCommand<typeof TableExpiring> {
  static override summary = 'List the tables that expire soon, soonest first';
  static override examples = ['svc table expiring --env dev', 'svc table expiring --env dev --within 30d'];
  static override flags = {
    ...envFlag,
    within: string({
      description: 'number of days to look ahead, such as 14d (default: the warning window)',
      helpValue: 'Nd',
    }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { within } = this.flags;
    const days = within === undefined ? undefined : parseDays(within);
    const env = this.environment;
    const filters = days === undefined ? {} : { withinDays: days };
    const window = days === undefined ? 'the warning window' : plural(days, 'day');
    const [first] = await this.pagedList<ExpiringTable>(
      (page) => this.client.tables.expiringPage(env, { ...filters, ...page }),
      EXPIRING_COLUMNS,
      `No table expires within ${window}.`,
    );
    if (first !== undefined && !this.json)
      this.note(`To keep one: ${neverExpireCommand(env, `${first.namespace}.${first.name}`)}`);
  }
}

function parseDays(text: string): number {
  const days = /^(\d{1,4})d?$/.exec(text)?.[1];
  if (days === undefined) throw usageError(`Invalid number of days "${text}" for --within. Use a number such as 14d.`);
  return Number(days);
}
