import { resolve } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import { envFlag, optionalArg, timeoutFlag } from '../arguments/flags.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Dev extends SvcCommand<typeof Dev> {
  static override summary = 'Build assets of a working folder in a namespace of your own, without deploying them';
  static override examples = [
    'svc dev --env dev',
    'svc dev . --env dev --watch',
    'svc dev --env dev --select marts.revenue --downstream --namespace dev_ann',
  ];
  static override description =
    'The folder is checked like a deploy. Then the selected assets are built with your rights, each inside your namespace: marts.revenue becomes dev_ann.marts.revenue. Their SQL and Python read the assets that your namespace contains, and all other tables from the environment. Views are built as tables. Nothing is deployed, and no query changes a table outside your namespace. Remove a table there to read that of the environment again.';
  static override args = { folder: optionalArg('working folder with svc.yaml (default: the current one)') };
  static override flags = {
    ...envFlag,
    repo: string({ description: 'repository of the project (default: name in svc.yaml)', helpValue: 'NAME' }),
    select: string({
      description:
        'assets to build: names, with * as a wildcard, or tag:NAME (default: those that differ from the deployed version)',
      helpValue: 'PATTERN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    upstream: boolean({ description: 'also build the assets that they depend on' }),
    downstream: boolean({ description: 'also build the assets that depend on them' }),
    'full-refresh': boolean({ description: 'build incremental assets from the start, replacing their rows' }),
    namespace: string({ description: 'your namespace (default: dev_ and your name)', helpValue: 'NAMESPACE' }),
    watch: boolean({ char: 'w', description: 'build again whenever a file changes, until Ctrl-C' }),
    ...timeoutFlag,
  };

  async run(): Promise<void> {
    const [{ buildInNamespace, devNamespaceOf }, { repositoryOfManifest }] = await Promise.all([
      import('../project-folder/dev-build.ts'),
      import('../project-folder/manifest-name.ts'),
    ]);
    const { select, upstream, downstream, timeout, watch, 'full-refresh': fullRefresh } = this.flags;
    const folder = resolve(this.args.folder ?? '.');
    const build = {
      folder,
      repository: this.flags.repo ?? (await repositoryOfManifest(folder)),
      namespace: this.flags.namespace ?? devNamespaceOf((await this.client.access.me()).name),
      ...{ select, upstream, downstream, fullRefresh, timeout },
    };
    if (!watch) return buildInNamespace(this, build);
    const { onEachChange } = await import('../terminal/watch-folder.ts');
    await onEachChange(this, folder, () => buildInNamespace(this, build));
  }
}
