import { boolean } from '@oclif/core/flags';
import { envFlag, timeoutFlag, word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { begunSentence, followToEnd } from '../../texts/run-outcome.ts';

export default class RunsRetry extends SvcCommand<typeof RunsRetry> {
  static override summary = 'Run again what failed in a run, and follow the new run';
  static override examples = ['svc runs retry 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override description =
    'A new run builds the assets that did not succeed, those skipped for them included, on the version deployed now. The exit code is 0 when it succeeds, 1 when it fails, is cancelled or takes longer than --timeout.';
  static override args = { id: word('id of the run') };
  static override flags = {
    ...envFlag,
    wait: boolean({ description: 'follow the run to its end', default: true, allowNo: true }),
    ...timeoutFlag,
  };

  async run(): Promise<void> {
    const { wait, timeout } = this.flags;
    const run = await this.client.runs.retry(this.environment, this.args.id);
    if (!wait) return this.done(run, begunSentence(run, this.environment));
    await followToEnd(this, run, timeout);
  }
}
