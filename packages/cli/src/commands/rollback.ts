import { string } from '@oclif/core/flags';
import { envFlag, requiredArg } from '../arguments/flags.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Rollback extends SvcCommand<typeof Rollback> {
  static override summary = 'Roll a deployment back to an earlier project version';
  static override examples = ['svc rollback shop --env dev'];
  static override args = { name: requiredArg('repository of the deployment') };
  static override flags = {
    ...envFlag,
    to: string({ description: 'project version (default: the previous one)', helpValue: 'VERSION' }),
  };

  async run(): Promise<void> {
    const options = { project_version_id: this.flags.to };
    const deployment = await this.client.deployments.rollback(this.environment, this.args.name, options);
    this.done(
      deployment,
      `Rolled ${deployment.repository} back to the project version ${deployment.project_version_id}.`,
    );
  }
}
