import { boolean, integer, string } from '@oclif/core/flags';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { word } from '../../flags.ts';

export default class EnvUpdate extends SvcCommand<typeof EnvUpdate> {
  static override summary = 'Protect, unprotect or describe an environment, or have its tables maintained';
  static override examples = [
    'svc env update prod --protected',
    'svc env update dev --no-protected',
    'svc env update prod --compact --expire-snapshots-older-than 30',
  ];
  static override args = { name: word('name of the environment') };
  static override flags = {
    protected: boolean({ description: 'only runs of the deployed project change its tables', allowNo: true }),
    description: string({ description: 'what it is for; empty removes it', helpValue: 'TEXT' }),
    compact: boolean({ description: 'have tables that were written compacted, about once a day' }),
    'expire-snapshots-older-than': integer({
      description: 'have their snapshots forgotten after so many days',
      helpValue: 'DAYS',
      min: 1,
      max: 3650,
    }),
    'no-maintenance': boolean({
      description: 'leave its tables alone again',
      exclusive: ['compact', 'expire-snapshots-older-than'],
    }),
  };

  async run(): Promise<void> {
    const { protected: isProtected, description, compact, 'expire-snapshots-older-than': days } = this.flags;
    const rule = { compact, ...(days === undefined ? {} : { expire_snapshots_older_than_days: days }) };
    const body = {
      ...(isProtected === undefined ? {} : { protected: isProtected }),
      ...(description === undefined ? {} : { description: description === '' ? null : description }),
      ...(compact || days !== undefined ? { maintenance: rule } : {}),
      ...(this.flags['no-maintenance'] ? { maintenance: null } : {}),
    };
    if (Object.keys(body).length === 0)
      throw usage(
        'Nothing to change: give --protected, --no-protected, --description, --compact, --expire-snapshots-older-than or --no-maintenance.',
      );
    const environment = await this.client.environments.update(this.args.name, body);
    this.done(environment, `Updated the environment ${environment.name}.`);
  }
}
