import { envFlag, repoFlag, word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { nextRun, stateSentence } from '../../texts/job-text.ts';

export default class JobResume extends SvcCommand<typeof JobResume> {
  static override summary = 'Resume the schedule of a paused job';
  static override examples = ['svc job resume nightly --env prod'];
  static override description = 'The schedule counts from now: times that passed during the pause do not fire.';
  static override args = { name: word('name of the job') };
  static override flags = { ...envFlag, ...repoFlag };

  async run(): Promise<void> {
    const job = await this.client.jobs.resume(this.environment, this.args.name, { repository: this.flags.repo });
    const sentence = stateSentence(job);
    const next = `The schedule of ${job.name} is resumed. Its next time: ${nextRun(job)}`;
    this.done(job, sentence === null ? next : `${next}. ${sentence}`);
  }
}
