import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

const CLEARABLE = ['url', 'default_ref', 'folder', 'credential_secret'];

export default class RepositoryUpdate extends SvcCommand<typeof RepositoryUpdate> {
  static override summary = 'Update a repository';
  static override examples = ['svc repository update shop --ref release', 'svc repository update shop --clear folder'];
  static override args = { name: requiredArg('name of the repository') };
  static override flags = {
    url: string({ description: 'URL that git fetches, https or ssh', helpValue: 'URL' }),
    ref: string({ description: 'branch, tag or commit to deploy', helpValue: 'REF' }),
    folder: string({ description: 'folder of the project in the repository (default: the root)', helpValue: 'PATH' }),
    'credential-secret': string({ description: 'secret with the credential', helpValue: 'SECRET' }),
    clear: string({
      description: 'field to clear',
      options: CLEARABLE,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FIELD',
    }),
  };

  async run(): Promise<void> {
    const { url, ref, folder, 'credential-secret': secret, clear = [] } = this.flags;
    const changes = { url, default_ref: ref, folder, credential_secret: secret };
    const body = Object.fromEntries([
      ...Object.entries(changes).filter(([, value]) => value !== undefined),
      ...clear.map((field) => [field, null]),
    ]);
    if (Object.keys(body).length === 0) {
      throw usageError('Nothing to change. Add --url, --ref, --folder, --credential-secret or --clear.');
    }
    const repository = await this.client.repositories.update(this.args.name, body);
    this.done(repository, `Updated the repository ${repository.name}.`);
  }
}
