import { boolean, integer } from '@oclif/core/flags';
import type { Environment } from '@svc/sdk';
import { pageFlags, word, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { plural } from '../../output/format.ts';
import { EXPIRING_COLUMNS } from '../../texts/expiring-columns.ts';

export default class EnvRetention extends SvcCommand<typeof EnvRetention> {
  static override summary = 'Show or set after how many days without use tables of an environment are dropped';
  static override description =
    'It holds for managed tables that set no retention themselves, and for none sooner than so many days after it was set.';
  static override examples = [
    'svc env retention dev',
    'svc env retention dev --days 90 --dry-run',
    'svc env retention dev --days 90 --yes',
    'svc env retention dev --off',
  ];
  static override args = { name: word('name of the environment') };
  static override flags = {
    days: integer({ description: 'days without use, 1 to 3650', helpValue: 'N' }),
    off: boolean({ description: 'turn it off', exclusive: ['days'] }),
    'dry-run': boolean({ description: 'show which tables would expire when, and change nothing', dependsOn: ['days'] }),
    ...yesFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { days, off, limit, cursor, 'dry-run': dryRun } = this.flags;
    if (days === undefined && !off) return this.#show(await this.client.environments.get(name));
    if (days !== undefined && dryRun) {
      const page = await this.client.environments.previewRetention(name, days, { limit, cursor });
      return this.page(page, EXPIRING_COLUMNS, `No table of ${name} would expire.`);
    }
    if (days !== undefined) {
      if (days < 1 || days > 3650) throw usage('--days is a whole number from 1 to 3650.');
      await this.confirm(
        `Drop tables of ${name} that set no retention after ${plural(days, 'day')} without use? See which with --dry-run.`,
      );
    }
    this.#show(await this.client.environments.setRetention(name, days ?? null));
  }

  #show(environment: Environment): void {
    const { name, retention_days: days } = environment;
    this.record(environment, [
      ['environment', name],
      ['retention', days === null ? 'none' : `${plural(days, 'day')} without use`],
    ]);
  }
}
