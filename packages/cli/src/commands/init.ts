import { basename, join, resolve } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import { shellCommand, shellLine, shellOption } from '@svc/core/command-lines';
import { optionalArg } from '../arguments/flags.ts';
import { usageError } from '../cli-error.ts';
import { escaped } from '../output/escape.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Init extends SvcCommand<typeof Init> {
  static override summary = 'Create a project that deploys as it is, without a request to the service';
  static override examples = ['svc init shop', 'svc init . --name shop', 'svc init shop --python'];
  static override description =
    'The project has a job, a seed, a view and a table with checks; with --python also a Python asset, pyproject.toml and uv.lock. Existing files are never overwritten: the command keeps .gitignore and README.md, and stops before it writes anything if another file exists. --output json prints {"name", "folder", "files"}.';
  static override args = { folder: optionalArg('folder of the project, created if it is missing (default: .)') };
  static override flags = {
    name: string({
      description: 'name of the project and its repository (default: name of the folder)',
      helpValue: 'NAME',
    }),
    python: boolean({ description: 'add a Python asset with pyproject.toml and uv.lock' }),
  };

  async run(): Promise<void> {
    const folder = this.args.folder ?? '.';
    const [{ projectFiles }, { writeProject }] = await Promise.all([
      import('../new-project/project-files.ts'),
      import('../new-project/write-project.ts'),
    ]);
    const name = await this.#name(folder);
    const { files, unchanged } = await writeProject(folder, projectFiles(name, this.flags));
    if (this.json) this.printJson({ name, folder: resolve(folder), files });
    else {
      this.print(escaped(`Created the project ${name}:`));
      for (const file of files) this.print(escaped(`  ${join(folder, file)}`));
    }
    for (const file of unchanged) this.note(escaped(`Kept ${join(folder, file)}, which exists.`));
    if (!this.json) for (const command of this.#nextCommands(folder, name)) this.note(escaped(`Next: ${command}`));
  }

  async #name(folder: string): Promise<string> {
    const { repositoryName } = await import('@svc/core/access');
    // File systems may store é as e with a combining accent.
    const name = this.flags.name ?? basename(resolve(folder)).normalize('NFC');
    const { error } = repositoryName.safeParse(name);
    if (error === undefined) return name;
    const origin = this.flags.name === undefined ? `The folder's name ${JSON.stringify(name)}` : JSON.stringify(name);
    const reasons = error.issues.map(({ message }) => message).join('; ');
    throw usageError(`${origin} can't be the name of a project: it ${reasons}. Set another one with --name NAME.`);
  }

  #nextCommands(folder: string, name: string): string[] {
    const env = this.settings.env.value === undefined ? ['--env dev'] : [];
    const select = 'SELECT * FROM marts.revenue_by_day ORDER BY day';
    return [
      shellCommand('svc deploy', folder, env),
      ['svc run', shellOption('repo', name), ...env].join(' '),
      [shellLine(['svc', 'sql', select]), ...env].join(' '),
    ];
  }
}
