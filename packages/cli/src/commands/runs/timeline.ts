import { string } from '@oclif/core/flags';
import { envFlag, sinceFlag, untilFlag } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { SvcCommand } from '../../svc-command.ts';
import { JOB_RUN_COLUMNS, runsByJob } from '../../texts/runs-by-job.ts';

export default class RunsTimeline extends SvcCommand<typeof RunsTimeline> {
  static override summary = 'Summarize the runs of a period by job';
  static override description =
    'Counts the runs that were queued or running during the period, the busiest job last. -o json has every run with the times at which it was created, started and finished.';
  static override examples = ['svc runs timeline --env dev', 'svc runs timeline --env dev --since 7d --job nightly'];
  static override flags = {
    ...envFlag,
    repo: string({ description: 'only this repository', helpValue: 'NAME' }),
    job: string({ description: 'only this job', helpValue: 'NAME' }),
    ...sinceFlag('start of the period (default: 24h)'),
    ...untilFlag,
  };

  async run(): Promise<void> {
    const { repo, job, since = '24h', until } = this.flags;
    const timeline = await this.client.runs.timeline(this.environment, parseTime('since', since)!, {
      until: parseTime('until', until),
      repository: repo,
      job,
    });
    if (this.json) return this.printJson(timeline);
    await this.list(runsByJob(timeline.runs), JOB_RUN_COLUMNS, 'No runs.');
    if (timeline.truncated) this.note('There are more runs, which are older: use a later --since, or --job.');
  }
}
