import { boolean, string } from '@oclif/core/flags';
import { envFlag, word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';

export default class DeploymentsSetRunAs extends SvcCommand<typeof DeploymentsSetRunAs> {
  static override summary = 'Bind the service account that scheduled runs act as';
  static override examples = ['svc deployments set-run-as shop --env prod --principal nightly'];
  static override args = { deployment: word('repository of the deployment') };
  static override flags = {
    ...envFlag,
    principal: string({ description: 'an active service account', helpValue: 'NAME', exclusive: ['none'] }),
    none: boolean({ description: 'unbind: nothing scheduled runs any more' }),
  };

  async run(): Promise<void> {
    const { principal, none } = this.flags;
    if (principal === undefined && !none)
      throw usage('Name the service account with --principal, or unbind with --none.');
    const deployment = await this.client.deployments.setRunAs(
      this.environment,
      this.args.deployment,
      principal ?? null,
    );
    const { repository, run_as: bound } = deployment;
    const sentence =
      bound === null ? `${repository} has no run principal any more.` : `${repository} runs as ${bound} from now on.`;
    this.done(deployment, sentence);
  }
}
