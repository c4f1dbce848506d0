import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { credentialHint } from '../../texts/index-hint.ts';

export default class IndexAdd extends SvcCommand<typeof IndexAdd> {
  static override summary = 'Register a package index';
  static override description =
    'With --credential-secret, each unbound secret of that name is bound to the index in every environment that has one.';
  static override examples = [
    'svc index add corp --url https://packages.example.com/simple',
    'svc index add corp --url https://packages.example.com/simple --credential-secret corp-packages',
  ];
  static override args = { name: requiredArg('name of the package index') };
  static override flags = {
    url: string({ description: 'URL of the index, without user name and password', required: true, helpValue: 'URL' }),
    'credential-secret': string({
      description: 'secret with the user name and password',
      helpValue: 'SECRET',
    }),
  };

  async run(): Promise<void> {
    const { 'credential-secret': secret = null } = this.flags;
    const index = await this.client.packageIndexes.create(this.args.name, this.flags.url!, {
      credential_secret: secret,
    });
    this.done(index, `Registered the package index ${index.name}: ${index.url}`);
    if (this.json || index.credential_secret === null) return;
    for (const line of credentialHint(index.name, index.credential_secret)) this.note(escaped(line));
  }
}
