import { string } from '@oclif/core/flags';
import { word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';

const CLEARABLE = ['url', 'default_ref', 'folder', 'credential_secret'];

export default class RepositoryUpdate extends SvcCommand<typeof RepositoryUpdate> {
  static override summary = 'Change a repository';
  static override examples = ['svc repository update shop --ref release', 'svc repository update shop --clear folder'];
  static override args = { name: word('name of the repository') };
  static override flags = {
    url: string({ description: 'where git fetches it: https or ssh', helpValue: 'URL' }),
    ref: string({ description: 'branch, tag or commit that a deploy takes', helpValue: 'REF' }),
    folder: string({ description: 'folder of the project inside it', helpValue: 'PATH' }),
    'credential-secret': string({ description: 'secret that holds its credential', helpValue: 'SECRET' }),
    clear: string({
      description: 'removes a value',
      options: CLEARABLE,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FIELD',
    }),
  };

  async run(): Promise<void> {
    const { url, ref, folder, 'credential-secret': secret, clear = [] } = this.flags;
    const given = { url, default_ref: ref, folder, credential_secret: secret };
    const body = Object.fromEntries([
      ...Object.entries(given).filter(([, value]) => value !== undefined),
      ...clear.map((field) => [field, null]),
    ]);
    if (Object.keys(body).length === 0) {
      throw usage('Nothing to change: give --url, --ref, --folder, --credential-secret or --clear.');
    }
    const repository = await this.client.repositories.update(this.args.name, body);
    this.done(repository, `Updated the repository ${repository.name}.`);
  }
}
