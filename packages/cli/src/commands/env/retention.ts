import { boolean, integer } from '@oclif/core/flags';
import type { Environment } from '@svc/sdk';
import { pageFlags, requiredArg, yesFlag } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { EXPIRING_COLUMNS } from '../../texts/expiring-columns.ts';

export default class EnvRetention extends SvcCommand<typeof EnvRetention> {
  static override summary = 'Show or set the number of days after which unused tables in an environment are dropped';
  static override description =
    "It applies to managed tables that don't set a retention themselves. No table expires before this many days have passed since you set it.";
  static override examples = [
    'svc env retention dev',
    'svc env retention dev --days 90 --dry-run',
    'svc env retention dev --days 90 --yes',
    'svc env retention dev --off',
  ];
  static override args = { name: requiredArg('name of the environment') };
  static override flags = {
    days: integer({ description: 'days without use, 1 to 3650', helpValue: 'N' }),
    off: boolean({ description: 'turn the retention off', exclusive: ['days'] }),
    'dry-run': boolean({
      description: 'show which tables would expire and when, and change nothing',
      dependsOn: ['days'],
    }),
    ...yesFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { days, off, 'dry-run': dryRun } = this.flags;
    if (days === undefined && !off) return this.#show(await this.client.environments.get(name));
    if (days !== undefined && dryRun) {
      await this.pagedList(
        (page) => this.client.environments.previewRetention(name, days, page),
        EXPIRING_COLUMNS,
        `No table in ${name} would expire.`,
      );
      return;
    }
    if (days !== undefined) {
      if (days < 1 || days > 3650)
        throw usageError(`Invalid number of days ${days} for --days. Use a whole number from 1 to 3650.`);
      await this.confirm(
        `Drop tables in ${name} that don't set a retention after ${plural(days, 'day')} without use? To see which: --dry-run.`,
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
