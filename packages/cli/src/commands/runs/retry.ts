import { boolean } from '@oclif/core/flags';
import { envFlag, idArg, timeoutFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { followUntilFinished, startedSentence } from '../../texts/run-outcome.ts';

export default class RunsRetry extends SvcCommand<typeof RunsRetry> {
  static override summary = 'Retry the failed assets of a run and follow the new run';
  static override examples = ['svc runs retry 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override description =
    'A new run builds the assets that did not succeed, including skipped ones, with the project version that is deployed now. The exit code is 0 if it succeeds, and 1 if it fails, is cancelled or takes longer than --timeout.';
  static override args = { id: idArg('run') };
  static override flags = {
    ...envFlag,
    wait: boolean({ description: 'follow the run until it finishes (default: on)', default: true, allowNo: true }),
    ...timeoutFlag,
  };

  async run(): Promise<void> {
    const { wait, timeout } = this.flags;
    const run = await this.client.runs.retry(this.environment, await this.fullId('run', this.args.id));
    if (!wait) return this.done(run, startedSentence(run, this.environment));
    await followUntilFinished(this, run, timeout);
  }
}
