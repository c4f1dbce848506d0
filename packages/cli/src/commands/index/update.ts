import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { credentialHint } from '../../texts/index-hint.ts';

export default class IndexUpdate extends SvcCommand<typeof IndexUpdate> {
  static override summary = 'Change the URL or the secret of a package index';
  static override description =
    'A new URL stops deployed projects whose lock file contains the old one, until you lock them with the new URL and deploy them again.';
  static override examples = [
    'svc index update corp --url https://packages.example.com/v2/simple',
    'svc index update corp --credential-secret corp-packages',
    'svc index update corp --clear credential_secret',
  ];
  static override args = { name: requiredArg('name of the package index') };
  static override flags = {
    url: string({ description: 'URL of the index, without user name and password', helpValue: 'URL' }),
    'credential-secret': string({
      description: 'secret with the user name and password',
      helpValue: 'SECRET',
      exclusive: ['clear'],
    }),
    clear: string({ description: 'field to clear', options: ['credential_secret'], helpValue: 'FIELD' }),
  };

  async run(): Promise<void> {
    const { url, 'credential-secret': secret, clear } = this.flags;
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(secret === undefined ? {} : { credential_secret: secret }),
      ...(clear === undefined ? {} : { credential_secret: null }),
    };
    if (Object.keys(changes).length === 0) {
      throw usageError('Nothing to change. Add --url, --credential-secret or --clear credential_secret.');
    }
    const index = await this.client.packageIndexes.update(this.args.name, changes);
    this.done(index, `Updated the package index ${index.name}.`);
    if (this.json || !secret) return;
    for (const line of credentialHint(index.name, secret)) this.note(escaped(line));
  }
}
