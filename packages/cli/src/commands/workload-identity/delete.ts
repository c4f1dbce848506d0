import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class WorkloadIdentityDelete extends SvcCommand<typeof WorkloadIdentityDelete> {
  static override summary = 'Stop a workload from signing in, and revoke the tokens that it got';
  static override examples = ['svc workload-identity delete 01997c2e-7b7a-7c1e-8000-000000000001 --yes'];
  static override args = { id: requiredArg('id of the workload identity') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { id } = this.args;
    await this.confirm(`Delete the workload identity ${id}? The tokens that it got stop working immediately.`);
    await this.client.workloadIdentities.delete(id);
    this.done(undefined, `Deleted the workload identity ${id}.`);
  }
}
