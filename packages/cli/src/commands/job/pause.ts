import { envFlag, repoFlag, word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { named, option } from '../../output/quote.ts';

export default class JobPause extends SvcCommand<typeof JobPause> {
  static override summary = 'Pause the schedule of a job';
  static override examples = ['svc job pause nightly --env prod'];
  static override description =
    'Only the schedule stops: starts by hand still work, and a start that waits already still happens. A pause survives deploys.';
  static override args = { name: word('name of the job') };
  static override flags = { ...envFlag, ...repoFlag };

  async run(): Promise<void> {
    const { repo } = this.flags;
    const job = await this.client.jobs.pause(this.environment, this.args.name, { repository: repo });
    const options = [option('env', this.environment), ...(repo === undefined ? [] : [option('repo', repo)])];
    const resume = named('svc job resume', job.name, ...options);
    this.done(job, `The schedule of ${job.name} is paused. Go on: ${resume}`);
  }
}
