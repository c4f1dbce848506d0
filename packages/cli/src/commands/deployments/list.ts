import type { Deployment } from '@svc/sdk';
import { envFlag, listFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { commitText } from '../../texts/deploy-text.ts';

const COLUMNS: readonly TableColumn<Deployment>[] = [
  { header: 'repository', cell: ({ repository }) => repository },
  { header: 'run principal', cell: ({ run_as }) => run_as },
  { header: 'project version', cell: ({ project_version_id }) => project_version_id, hide: 3, whole: true, id: true },
  { header: 'commit', cell: commitText, hide: 1 },
  { header: 'updated', cell: ({ updated_at }) => time(updated_at), hide: 2 },
];

export default class DeploymentsList extends SvcCommand<typeof DeploymentsList> {
  static override summary = 'List the deployments in an environment';
  static override examples = ['svc deployments list --env dev'];
  static override flags = { ...envFlag, ...listFlags };

  async run(): Promise<void> {
    const deployments = await this.client.deployments.list(this.environment);
    await this.list(deployments, COLUMNS, `Nothing is deployed in ${this.environment}.`);
  }
}
