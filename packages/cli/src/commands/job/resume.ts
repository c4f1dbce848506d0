import { envFlag, repoFlag, requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { nextRun, stateSentence } from '../../texts/job-text.ts';

export default class JobResume extends SvcCommand<typeof JobResume> {
  static override summary = 'Resume the schedule of a paused job';
  static override examples = ['svc job resume nightly --env prod'];
  static override description = "The schedule continues from now. Times that passed during the pause don't fire.";
  static override args = { name: requiredArg('name of the job') };
  static override flags = { ...envFlag, ...repoFlag };

  async run(): Promise<void> {
    const job = await this.client.jobs.resume(this.environment, this.args.name, { repository: this.flags.repo });
    const sentence = stateSentence(job);
    const next = `Resumed the schedule of ${job.name}. Next run: ${nextRun(job)}`;
    this.done(job, sentence === null ? next : `${next}. ${sentence}`);
  }
}
