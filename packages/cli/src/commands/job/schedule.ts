import { integer } from '@oclif/core/flags';
import { envFlag, repoFlag, requiredArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scheduledTimeLine } from '../../texts/scheduled-time.ts';

export default class JobSchedule extends SvcCommand<typeof JobSchedule> {
  static override summary = "List the next times of a job's schedule";
  static override examples = ['svc job schedule nightly --env dev', 'svc job schedule nightly --env dev --count 3'];
  static override description =
    'Each line shows a time in UTC and in the time zone of the schedule, with a note if daylight saving time moves, repeats or skips it. The times of a paused schedule are those of a resumed one.';
  static override args = { name: requiredArg('name of the job') };
  static override flags = {
    ...envFlag,
    ...repoFlag,
    count: integer({
      description: 'number of times to list, 1 to 100 (default: 10)',
      min: 1,
      max: 100,
      helpValue: 'N',
    }),
  };

  async run(): Promise<void> {
    const { repo, count } = this.flags;
    const { name } = this.args;
    const schedule = await this.client.jobs.schedule(this.environment, name, { repository: repo, count });
    if (this.json) return this.printJson(schedule);
    for (const scheduled of schedule.times) this.print(escaped(scheduledTimeLine(scheduled, schedule.timezone)));
    if (schedule.paused) this.note(`The schedule of ${escaped(name)} is paused, so it doesn't fire.`);
  }
}
