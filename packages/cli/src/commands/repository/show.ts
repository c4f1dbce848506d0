import { requiredArg } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class RepositoryShow extends SvcCommand<typeof RepositoryShow> {
  static override summary = 'Show a repository';
  static override examples = ['svc repository show shop'];
  static override args = { name: requiredArg('name of the repository') };

  async run(): Promise<void> {
    const repository = await this.client.repositories.get(this.args.name);
    this.record(repository, [
      ['name', repository.name],
      ['id', repository.id],
      ['url', repository.url],
      ['ref', repository.default_ref],
      ['folder', repository.folder],
      ['secret', repository.credential_secret],
      ['created', time(repository.created_at)],
      ['updated', time(repository.updated_at)],
    ]);
  }
}
