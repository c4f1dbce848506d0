import { boolean, string } from '@oclif/core/flags';
import { envFlag, requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class DeploymentsSetRunAs extends SvcCommand<typeof DeploymentsSetRunAs> {
  static override summary = 'Bind the service account that scheduled runs use';
  static override examples = ['svc deployments set-run-as shop --env prod --principal nightly'];
  static override args = { deployment: requiredArg('repository of the deployment') };
  static override flags = {
    ...envFlag,
    principal: string({ description: 'active service account', helpValue: 'NAME', exclusive: ['none'] }),
    none: boolean({ description: 'unbind the service account, so that scheduled runs stop' }),
  };

  async run(): Promise<void> {
    const { principal, none } = this.flags;
    if (principal === undefined && !none)
      throw usageError('Specify the service account with --principal, or unbind it with --none.');
    const deployment = await this.client.deployments.setRunAs(
      this.environment,
      this.args.deployment,
      principal ?? null,
    );
    const { repository, run_as: bound } = deployment;
    const sentence =
      bound === null ? `${repository} no longer has a run principal.` : `${repository} runs as ${bound} from now on.`;
    this.done(deployment, sentence);
  }
}
