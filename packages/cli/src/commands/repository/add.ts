import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class RepositoryAdd extends SvcCommand<typeof RepositoryAdd> {
  static override summary = 'Register a repository';
  static override examples = [
    'svc repository add shop --url https://git.example.com/shop.git --ref main',
    'svc repository add scratch',
  ];
  static override description = 'A repository without --url accepts working folders only (svc deploy FOLDER).';
  static override args = { name: requiredArg('name of the repository') };
  static override flags = {
    url: string({ description: 'URL that git fetches, https or ssh', helpValue: 'URL' }),
    ref: string({ description: 'branch, tag or commit to deploy', helpValue: 'REF' }),
    folder: string({ description: 'folder of the project in the repository (default: the root)', helpValue: 'PATH' }),
    'credential-secret': string({ description: 'secret with the credential', helpValue: 'SECRET' }),
  };

  async run(): Promise<void> {
    const { url = null, ref = null, folder = null, 'credential-secret': secret = null } = this.flags;
    const body = { name: this.args.name, url, default_ref: ref, folder, credential_secret: secret };
    const repository = await this.client.repositories.create(body);
    this.done(repository, `Registered the repository ${repository.name}.`);
  }
}
