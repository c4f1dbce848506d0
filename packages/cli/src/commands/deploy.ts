import { resolve } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import type { Deploy as DeployRecord } from '@svc/sdk';
import { envFlag, optionalArg } from '../arguments/flags.ts';
import { usageError, workError } from '../cli-error.ts';
import { registerMissing } from '../project-folder/register-repository.ts';
import type { SentFolder } from '../project-folder/send-folder.ts';
import { SvcCommand } from '../svc-command.ts';
import { withProgress } from '../terminal/progress.ts';
import { deployLines, printWarnings } from '../texts/deploy-text.ts';

export default class Deploy extends SvcCommand<typeof Deploy> {
  static override summary = 'Deploy a project from its repository, or from a working folder';
  static override examples = [
    'svc deploy . --env dev',
    'svc deploy --env prod --repo shop --ref v1.4.0',
    'svc deploy . --env prod --repo shop --dry-run',
  ];
  static override description =
    'A folder is sent without .git, .venv, __pycache__, node_modules and the files that .gitignore and .svcignore exclude. Files with secrets (.env, private keys) stop the deploy. The commit of its Git repository is recorded. A dry run performs every check of a deploy, changes nothing, and shows how assets, columns and jobs would change.';
  static override args = { folder: optionalArg('working folder with svc.yaml (default: fetch the repository)') };
  static override flags = {
    ...envFlag,
    repo: string({ description: 'repository of the project (default: name in svc.yaml)', helpValue: 'NAME' }),
    ref: string({
      description: "branch, tag or commit, not with a folder (default: the repository's ref)",
      helpValue: 'REF',
    }),
    'dry-run': boolean({ description: 'check everything and show what would change' }),
    wait: boolean({ description: 'wait until it finishes (default: on)', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { ref, 'dry-run': dryRun, wait } = this.flags;
    const { folder } = this.args;
    if (folder !== undefined && ref !== undefined)
      throw usageError('FOLDER and --ref exclude each other. Use one of them.');
    const repo = this.flags.repo ?? (await this.#nameInManifest(folder));
    const body = {
      repository: repo,
      ...(folder === undefined ? {} : await this.#send(resolve(folder))),
      ...(ref === undefined ? {} : { ref }),
      ...(dryRun ? { dry_run: true } : {}),
    };
    const create = () => this.client.deploys.create(this.environment, body);
    const started = await create().catch(async (error: unknown) => {
      await registerMissing(this, error, { repository: repo, isFolder: folder !== undefined });
      return create();
    });
    if (!wait) {
      return this.done(
        started,
        `Started the deploy ${started.id}. To see its status: svc deploys show ${started.id} --env ${this.environment}`,
      );
    }
    const waitForDeploy = () => this.client.deploys.wait(this.environment, started.id);
    this.#report(await withProgress(this.io, () => `${dryRun ? 'Checking' : 'Deploying'} ${repo}`, waitForDeploy));
  }

  async #nameInManifest(folder: string | undefined): Promise<string> {
    const { repositoryOfManifest } = await import('../project-folder/manifest-name.ts');
    return repositoryOfManifest(resolve(folder ?? '.'));
  }

  async #send(folder: string): Promise<SentFolder> {
    const { sendFolder } = await import('../project-folder/send-folder.ts');
    return sendFolder(this, folder);
  }

  #report(deploy: DeployRecord): void {
    this.done(deploy, deployLines(deploy)[0] ?? '');
    if (!this.json) for (const line of deployLines(deploy).slice(1)) this.print(line);
    printWarnings(this, deploy);
    if (deploy.status === 'succeeded') return;
    throw workError(deploy.error?.detail ?? `The deploy ${deploy.id} was ${deploy.status}.`, deploy.error?.remedy);
  }
}
