import { envFlag, idArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { time, yesNo } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

const INDEXES_SHOWN = 20;

export default class ProjectVersionShow extends SvcCommand<typeof ProjectVersionShow> {
  static override summary = 'Show a project version with its assets, jobs and package indexes';
  static override examples = ['svc project-version show 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override args = { id: idArg('project version') };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const version = await this.client.projectVersions.get(
      this.environment,
      await this.fullId('project version', this.args.id),
    );
    this.record(version, [
      ['id', version.id],
      ['name', version.name],
      ['environment', version.environment],
      ['repository', version.repository],
      ['commit', version.commit],
      ['dirty', yesNo(version.dirty)],
      ['created', time(version.created_at)],
    ]);
    if (this.json) return;
    this.#section(
      'assets',
      version.assets.map(({ name, kind, language }) => `${name} (${kind}, ${language})`),
    );
    this.#section('jobs', version.jobs);
    this.#section('network of Python tasks', version.network ?? []);
    // The specification requires the first 20, then the number of the others.
    this.#section('package indexes', version.package_indexes.slice(0, INDEXES_SHOWN));
    const more = version.package_indexes.length - INDEXES_SHOWN;
    if (more > 0) this.print(`and ${more} more: use --output json`);
  }

  #section(title: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.print(`${title}:`);
    for (const line of lines) this.print(`- ${escaped(line)}`);
  }
}
