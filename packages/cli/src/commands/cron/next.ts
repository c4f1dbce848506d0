import { integer, string } from '@oclif/core/flags';
import { isKnownZone, likelyZone, localText, neverFires, parseCron, scheduledTimes } from '@svc/sdk/cron';
import { requiredArg } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scheduledTimeLine } from '../../texts/scheduled-time.ts';

export default class CronNext extends SvcCommand<typeof CronNext> {
  static override summary = 'Show when a cron expression fires, without a request to the service';
  static override examples = [
    "svc cron next '0 6 * * 1-5' --timezone Europe/Berlin",
    "svc cron next '@daily' --count 3",
  ];
  static override description =
    'Each line shows a time in UTC and in the time zone, with a note if daylight saving time moves, repeats or skips it. --output json prints {"times": […]} in UTC.';
  static override args = {
    cron: requiredArg('cron expression of five fields, or a macro such as @daily; put it in quotes'),
  };
  static override flags = {
    timezone: string({ description: 'IANA time zone', default: 'UTC', helpValue: 'ZONE' }),
    count: integer({ description: 'number of times to show', default: 5, min: 1, max: 1000, helpValue: 'N' }),
    after: string({ description: 'time to start from (default: now)', helpValue: 'TIME' }),
  };

  async run(): Promise<void> {
    const { timezone: zone, count, after } = this.flags;
    if (!isKnownZone(zone)) {
      const likely = likelyZone(zone);
      throw usageError(
        `Unknown time zone "${zone}". ${likely === null ? 'Use an IANA name such as Europe/Berlin.' : `Did you mean ${likely}?`}`,
      );
    }
    const cron = this.#cron();
    const start = new Date(parseTime('after', after) ?? this.io.now());
    const times = scheduledTimes(cron, zone, start, count);
    if (this.json) return this.printJson({ times: times.map(({ at }) => at.toISOString()) });
    for (const { at, note } of times)
      this.print(scheduledTimeLine({ at: at.toISOString(), local: localText(at, zone), note }, zone));
  }

  #cron() {
    const result = parseCron(this.args.cron);
    const problem = result.ok ? neverFires(result.cron) : result.problem;
    if (!result.ok || problem !== null) throw usageError(`${problem?.message}: ${problem?.remedy}.`);
    return result.cron;
  }
}
