import { envFlag, idArg } from '../../arguments/flags.ts';
import { time, yesNo } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { assetLines, jobLines, printWarnings } from '../../texts/deploy-text.ts';

export default class DeploysShow extends SvcCommand<typeof DeploysShow> {
  static override summary = 'Show a deploy';
  static override examples = ['svc deploys show 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override args = { id: idArg('deploy') };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const deploy = await this.client.deploys.get(this.environment, await this.fullId('deploy', this.args.id));
    this.record(deploy, [
      ['id', deploy.id],
      ['status', deploy.status],
      ['environment', deploy.environment],
      ['repository', deploy.repository],
      ['ref', deploy.ref],
      ['commit', deploy.commit],
      ['dirty', yesNo(deploy.dirty)],
      ['dry run', yesNo(deploy.dry_run)],
      ['project version', deploy.project_version_id],
      ['package indexes', deploy.package_indexes.join(', ') || null],
      ['by', deploy.created_by],
      ['created', time(deploy.created_at)],
      ['finished', time(deploy.ended_at)],
      ['error', deploy.error?.detail],
    ]);
    if (!this.json) for (const line of [...assetLines(deploy), ...jobLines(deploy)]) this.print(line);
    printWarnings(this, deploy);
  }
}
