import { envFlag, idArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class RunsCancel extends SvcCommand<typeof RunsCancel> {
  static override summary = 'Cancel a run';
  static override examples = ['svc runs cancel 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override args = { id: idArg('run') };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const run = await this.client.runs.cancel(this.environment, await this.fullId('run', this.args.id));
    this.done(run, `The run ${run.id} is ${run.status === 'cancelled' ? 'cancelled' : 'being cancelled'}.`);
  }
}
