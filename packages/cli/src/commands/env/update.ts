import { boolean, integer, string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class EnvUpdate extends SvcCommand<typeof EnvUpdate> {
  static override summary = 'Update the protection, description, maintenance or storage of an environment';
  static override examples = [
    'svc env update prod --protected',
    'svc env update dev --no-protected',
    'svc env update prod --compact --expire-snapshots-older-than 30',
    'svc env update prod --storage-location s3://acme-lake/prod --storage-secret lake-keys',
  ];
  static override args = { name: requiredArg('name of the environment') };
  static override flags = {
    protected: boolean({ description: 'let only runs of the deployed project change the tables', allowNo: true }),
    description: string({ description: 'description of the environment (empty: remove it)', helpValue: 'TEXT' }),
    compact: boolean({ description: 'compact changed tables about once a day' }),
    'expire-snapshots-older-than': integer({
      description: 'age in days at which snapshots of changed tables expire',
      helpValue: 'DAYS',
      min: 1,
      max: 3650,
    }),
    'no-maintenance': boolean({
      description: 'turn maintenance off',
      exclusive: ['compact', 'expire-snapshots-older-than'],
    }),
    'storage-location': string({
      description: 'bucket for the tables: s3://…, gs://… or abfss://… (only while the environment has no tables)',
      helpValue: 'LOCATION',
    }),
    'storage-secret': string({
      description: "secret with the keys of the bucket (empty: the instance's keys)",
      helpValue: 'SECRET',
    }),
    'no-storage': boolean({
      description: "use the instance's storage again",
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
      throw usageError(
        'Nothing to change. Add --protected, --no-protected, --description, --compact, --expire-snapshots-older-than, --no-maintenance, --storage-location, --storage-secret or --no-storage.',
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
