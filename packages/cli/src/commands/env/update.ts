import { boolean, integer, string } from '@oclif/core/flags';
import { word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';

export default class EnvUpdate extends SvcCommand<typeof EnvUpdate> {
  static override summary =
    'Protect, unprotect or describe an environment, have its tables maintained, or say where they lie';
  static override examples = [
    'svc env update prod --protected',
    'svc env update dev --no-protected',
    'svc env update prod --compact --expire-snapshots-older-than 30',
    'svc env update prod --storage-location s3://acme-lake/prod --storage-secret lake-keys',
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
    'storage-location': string({
      description: 'keep its tables in a bucket of its own; while it has none',
      helpValue: 's3://BUCKET/PREFIX',
    }),
    'storage-secret': string({
      description: 'its secret with the keys of that bucket; empty: the keys of the instance',
      helpValue: 'SECRET',
    }),
    'no-storage': boolean({
      description: 'keep its tables in the storage of the instance again',
      exclusive: ['storage-location', 'storage-secret'],
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
      ...this.storage(),
    };
    if (Object.keys(body).length === 0)
      throw usage(
        'Nothing to change: give --protected, --no-protected, --description, --compact, --expire-snapshots-older-than, --no-maintenance, --storage-location, --storage-secret or --no-storage.',
      );
    const environment = await this.client.environments.update(this.args.name, body);
    this.done(environment, `Updated the environment ${environment.name}.`);
  }

  private storage(): { storage_location?: string | null; storage_secret?: string | null } {
    const { 'storage-location': location, 'storage-secret': secret, 'no-storage': none } = this.flags;
    if (none) return { storage_location: null, storage_secret: null };
    return {
      ...(location === undefined ? {} : { storage_location: location }),
      ...(secret === undefined ? {} : { storage_secret: secret === '' ? null : secret }),
    };
  }
}
