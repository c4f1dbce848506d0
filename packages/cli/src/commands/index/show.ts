import { requiredArg } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class IndexShow extends SvcCommand<typeof IndexShow> {
  static override summary = 'Show a package index';
  static override examples = ['svc index show corp'];
  static override args = { name: requiredArg('name of the package index') };

  async run(): Promise<void> {
    const index = await this.client.packageIndexes.get(this.args.name);
    this.record(index, [
      ['name', index.name],
      ['id', index.id],
      ['url', index.url],
      ['secret', index.credential_secret],
      ['created', time(index.created_at)],
      ['created by', index.created_by],
      ['updated', time(index.updated_at)],
    ]);
  }
}
