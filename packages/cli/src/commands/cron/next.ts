import { integer, string } from '@oclif/core/flags';
import { isKnownZone, likelyZone, localText, neverFires, nextTime, parseCron } from '@svc/sdk/cron';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { word } from '../../flags.ts';
import { jsonText } from '../../output/escape.ts';
import { timeOf } from '../../since.ts';

export default class CronNext extends SvcCommand<typeof CronNext> {
  static override summary = "Show when a cron text fires, by the service's own rules; asks no service";
  static override examples = [
    "svc cron next '0 6 * * 1-5' --timezone Europe/Berlin",
    "svc cron next '@daily' --count 3",
  ];
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
    let from = new Date(timeOf('after', after) ?? this.io.now());
    while (times.length < count) {
      const next = nextTime(cron, zone, from);
      if (next === null) break;
      times.push(next);
      from = next;
    }
    if (this.json) this.print(jsonText(times.map((at) => ({ at: at.toISOString(), local: localText(at, zone) }))));
    else for (const at of times) this.print(localText(at, zone));
  }

  #cron() {
    const result = parseCron(this.args.cron);
    const problem = result.ok ? neverFires(result.cron) : result.problem;
    if (!result.ok || problem !== null) throw usage(`${problem?.message}: ${problem?.remedy}.`);
    return result.cron;
  }
}
