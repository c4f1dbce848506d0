import { string } from '@oclif/core/flags';
import { envFlag, requiredArg } from '../arguments/flags.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Rollback extends SvcCommand<typeof Rollback> {
  static override summary = 'Roll a deployment back to an earlier project version';
  static override examples = ['svc rollback shop --env dev', 'svc rollback shop --env dev --to 01997c2e'];
  static override args = { name: requiredArg('repository of the deployment') };
  static override flags = {
    ...envFlag,
    to: string({
      description: 'project version, at least 6 characters of its start or end, or latest (default: the previous one)',
      helpValue: 'VERSION',
    }),
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { to } = this.flags;
    const options = {
      project_version_id: to === undefined ? undefined : await this.fullId('project version', to, name),
    };
    const deployment = await this.client.deployments.rollback(this.environment, name, options);
    this.done(
      deployment,
      `Rolled ${deployment.repository} back to the project version ${deployment.project_version_id}.`,
    );
  }
}
