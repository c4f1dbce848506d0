import { envFlag, repoFlag, requiredArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { yesNo } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { nextRuns } from '../../texts/job-preview.ts';
import { lastRun, stateSentence, triggerLine } from '../../texts/job-text.ts';

export default class JobShow extends SvcCommand<typeof JobShow> {
  static override summary = 'Show a job and its next five scheduled times';
  static override examples = ['svc job show nightly --env dev'];
  static override args = { name: requiredArg('name of the job') };
  static override flags = { ...envFlag, ...repoFlag };

  async run(): Promise<void> {
    const job = await this.client.jobs.get(this.environment, this.args.name, { repository: this.flags.repo });
    this.record(job, [
      ['name', job.name],
      ['state', job.state],
      ['environment', job.environment],
      ['repository', job.repository],
      ['select', job.select.join(' ')],
      ['upstream', yesNo(job.upstream)],
      ['downstream', yesNo(job.downstream)],
      ['triggers', job.triggers.map(triggerLine)],
      ['next runs', nextRuns(job)],
      ['last run', job.last_run_id === null ? null : `${lastRun(job)} (${job.last_run_id})`],
    ]);
    const sentence = stateSentence(job);
    if (!this.json && sentence !== null) this.print(`\n${escaped(sentence)}`);
  }
}
