import { shellCommand, shellOption } from '@svc/core/command-lines';
import { envFlag, repoFlag, requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class JobPause extends SvcCommand<typeof JobPause> {
  static override summary = 'Pause the schedule of a job';
  static override examples = ['svc job pause nightly --env prod'];
  static override description =
    'Only the schedule stops. Manual starts still work, and a start that is already waiting still happens. The pause survives deploys.';
  static override args = { name: requiredArg('name of the job') };
  static override flags = { ...envFlag, ...repoFlag };

  async run(): Promise<void> {
    const { repo } = this.flags;
    const job = await this.client.jobs.pause(this.environment, this.args.name, { repository: repo });
    const options = [shellOption('env', this.environment), ...(repo === undefined ? [] : [shellOption('repo', repo)])];
    const resume = shellCommand('svc job resume', job.name, options);
    this.done(job, `Paused the schedule of ${job.name}. To resume it: ${resume}`);
  }
}
