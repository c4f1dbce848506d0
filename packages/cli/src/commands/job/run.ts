import { boolean } from '@oclif/core/flags';
import type { WaitingStart } from '@svc/sdk';
import { envFlag, repoFlag, requiredArg, timeoutFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { followUntilFinished, startedSentence } from '../../texts/run-outcome.ts';

export default class JobRun extends SvcCommand<typeof JobRun> {
  static override summary = 'Start a job manually and follow its run';
  static override examples = ['svc job run nightly --env dev', 'svc job run nightly --env dev --no-wait'];
  static override description =
    'The exit code is 0 if the run succeeds, and 1 if it fails, is cancelled or takes longer than --timeout. While the project is busy, the start waits: the command prints what it waits for and exits with 0. Ctrl-C stops following; the run continues.';
  static override args = { name: requiredArg('name of the job') };
  static override flags = {
    ...envFlag,
    ...repoFlag,
    wait: boolean({ description: 'follow the run until it finishes (default: on)', default: true, allowNo: true }),
    ...timeoutFlag,
  };

  async run(): Promise<void> {
    const { repo, wait, timeout } = this.flags;
    const { run, waiting } = await this.client.jobs.start(this.environment, this.args.name, { repository: repo });
    if (waiting !== null) return this.done({ waiting }, waitingSentence(waiting));
    if (!wait) return this.done(run, startedSentence(run, this.environment));
    await followUntilFinished(this, run, timeout);
  }
}

function waitingSentence({ job, repository, waits_for_run_id: active, merged }: WaitingStart): string {
  const what = active === null ? 'for the scheduler' : `for the active run ${active} of ${repository}`;
  const others = merged > 1 ? ` It combines ${merged} starts.` : '';
  return `Accepted the start of ${job}: it waits ${what}.${others}`;
}
