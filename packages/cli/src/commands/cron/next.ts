import { integer, string } from '@oclif/core/flags';
import { isKnownZone, likelyZone, localText, neverFires, nextTime, parseCron } from '@svc/sdk/cron';
import { word } from '../../arguments/flags.ts';
import { timeOf } from '../../arguments/since.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { jsonText } from '../../output/escape.ts';
import { time } from '../../output/format.ts';
import { daylightNote } from '../../texts/cron-notes.ts';

/** A local time with its offset. */
const LOCAL_WIDTH = 25;

export default class CronNext extends SvcCommand<typeof CronNext> {
  static override summary = "Show when a cron text fires, by the service's own rules; asks no service";
  static override examples = [
    "svc cron next '0 6 * * 1-5' --timezone Europe/Berlin",
    "svc cron next '@daily' --count 3",
  ];
  static override description =
    'Each line is a time in UTC and in the zone, with a note where daylight saving moves, repeats or skips one. With --output json: {"times": […]} in UTC.';
  static override args = { cron: word('five fields, or a macro such as @daily; quoted') };
  static override flags = {
    timezone: string({ description: 'IANA name of the zone', default: 'UTC', helpValue: 'ZONE' }),
    count: integer({ description: 'how many times', default: 5, min: 1, max: 1000, helpValue: 'N' }),
    after: string({ description: 'count from there; default now', helpValue: 'TIME' }),
  };

  async run(): Promise<void> {
    const { timezone: zone, count, after } = this.flags;
    if (!isKnownZone(zone)) {
      const likely = likelyZone(zone);
      throw usage(`"${zone}" is no IANA time zone${likely === null ? '' : `; perhaps you mean ${likely}`}.`);
    }
    const cron = this.#cron();
    const times: Date[] = [];
    const start = new Date(timeOf('after', after) ?? this.io.now());
    while (times.length < count) {
      const next = nextTime(cron, zone, times.at(-1) ?? start);
      if (next === null) break;
      times.push(next);
    }
    if (this.json) return this.print(jsonText({ times: times.map((at) => at.toISOString()) }));
    for (const [i, at] of times.entries()) {
      const parts = [time(at.toISOString())];
      if (zone !== 'UTC') parts.push(time(localText(at, zone)).padEnd(LOCAL_WIDTH));
      const note = daylightNote(cron, zone, at, times[i - 1] ?? null);
      this.print([...parts, ...(note === null ? [] : [note])].join('  ').trimEnd());
    }
  }

  #cron() {
    const result = parseCron(this.args.cron);
    const problem = result.ok ? neverFires(result.cron) : result.problem;
    if (!result.ok || problem !== null) throw usage(`${problem?.message}: ${problem?.remedy}.`);
    return result.cron;
  }
}
