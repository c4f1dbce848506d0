import { envFlag, requiredArg, yesFlag } from '../arguments/flags.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Undeploy extends SvcCommand<typeof Undeploy> {
  static override summary = 'Undeploy a project; its jobs stop and its tables stay';
  static override examples = ['svc undeploy shop --env dev --yes'];
  static override args = { name: requiredArg('repository of the deployment') };
  static override flags = { ...envFlag, ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Undeploy ${name} from ${this.environment}? Its jobs stop, and its tables stay.`);
    await this.client.deployments.undeploy(this.environment, name);
    this.done(undefined, `Undeployed ${name} from ${this.environment}.`);
  }
}
