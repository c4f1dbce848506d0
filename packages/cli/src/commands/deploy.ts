import { resolve } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import type { Deploy as DeployRecord } from '@svc/sdk';
import { envFlag, optionalWord } from '../arguments/flags.ts';
import { SvcCommand } from '../command.ts';
import { usage, workFailed } from '../exit.ts';
import { escaped } from '../output/escape.ts';
import { plural } from '../output/format.ts';
import { Counted, during } from '../terminal/progress.ts';
import { deployLines, tellWarnings } from '../texts/deploy-text.ts';

const LISTED = 5;

const listed = (names: readonly string[]): string => {
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : '';
  return escaped(names.slice(0, LISTED).join(', ')) + more;
};

export default class Deploy extends SvcCommand<typeof Deploy> {
  static override summary = 'Deploy a project from its repository, or from a working folder';
  static override examples = [
    'svc deploy . --env dev --repo shop',
    'svc deploy --env prod --repo shop --ref v1.4.0',
    'svc deploy . --env prod --repo shop --dry-run',
  ];
  static override description =
    'A folder is sent without .git, .venv, __pycache__, node_modules and the files that .gitignore names. Files with secrets (.env, private keys) stop the deploy. A dry run checks all that a deploy checks and changes nothing.';
  static override args = { folder: optionalWord('working folder with svc.yaml; without it the repository is fetched') };
  static override flags = {
    ...envFlag,
    repo: string({ description: 'repository that the project belongs to', helpValue: 'NAME', required: true }),
    ref: string({ description: 'branch, tag or commit (not with a folder)', helpValue: 'REF' }),
    'dry-run': boolean({ description: 'only check, and show what would change' }),
    wait: boolean({ description: 'wait for the end', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { repo, ref, 'dry-run': dryRun, wait } = this.flags;
    const { folder } = this.args;
    if (folder !== undefined && ref !== undefined) throw usage('A folder has no ref: give one of FOLDER and --ref.');
    const begun = await this.client.deploys.create(this.environment, {
      repository: repo,
      ...(folder === undefined ? {} : { bundle_id: await this.#upload(resolve(folder)) }),
      ...(ref === undefined ? {} : { ref }),
      ...(dryRun ? { dry_run: true } : {}),
    });
    if (!wait) {
      return this.done(
        begun,
        `Deploy ${begun.id} begun. See how it goes: svc deploys show ${begun.id} --env ${this.environment}`,
      );
    }
    const ended = () => this.client.deploys.wait(this.environment, begun.id);
    this.#tell(await during(this.io, () => `${dryRun ? 'Checking' : 'Deploying'} ${repo}`, ended));
  }

  async #upload(folder: string): Promise<string> {
    const { filesOf, packFolder } = await import('../pack-folder.ts');
    const { files, ignored } = await filesOf(folder);
    if (ignored.length > 0) this.note(`Not sent, because .gitignore names them: ${listed(ignored)}`);
    let counted = new Counted();
    const packed = () => {
      counted = new Counted();
      return counted.through(packFolder(folder, files));
    };
    const told = () => `Sending ${plural(files.length, 'file')}: ${counted.text()}`;
    const upload = () => this.client.deploys.uploadBundle(this.environment, packed);
    const { bundle_id } = await during(this.io, told, upload);
    return bundle_id;
  }

  #tell(deploy: DeployRecord): void {
    this.done(deploy, deployLines(deploy)[0] ?? '');
    if (!this.json) for (const line of deployLines(deploy).slice(1)) this.print(line);
    tellWarnings(this, deploy);
    if (deploy.status === 'succeeded') return;
    throw workFailed(deploy.error?.detail ?? `The deploy ${deploy.id} was ${deploy.status}.`, deploy.error?.remedy);
  }
}
