import { boolean } from '@oclif/core/flags';
import { envFlag, idArg } from '../../arguments/flags.ts';
import { CliError, EXIT } from '../../cli-error.ts';
import { escaped, jsonText } from '../../output/escape.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class RunsLogs extends SvcCommand<typeof RunsLogs> {
  static override summary = 'Show the log of a run';
  static override examples = ['svc runs logs 01997c2e-7b7a-7c1e-8000-000000000001 --env dev --follow'];
  static override description = '--output json prints each line as a JSON object.';
  static override args = { id: idArg('run') };
  static override flags = {
    ...envFlag,
    follow: boolean({ char: 'f', description: 'keep printing until the run finishes' }),
  };

  async run(): Promise<void> {
    const id = await this.fullId('run', this.args.id);
    const controller = new AbortController();
    const release = this.io.onInterrupt(() => controller.abort(new Error('interrupted')));
    try {
      const options = { follow: this.flags.follow ? true : undefined, signal: controller.signal };
      for await (const entry of this.client.runs.logs(this.environment, id, options)) {
        if (this.json) this.print(jsonText(entry, 0));
        else {
          const asset = entry.asset === null ? '' : `${entry.asset}  `;
          this.print(escaped(`${time(entry.time)}  ${asset}${entry.line}`));
        }
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      throw new CliError(`Stopped following the run ${id}. It continues.`, EXIT.interrupted);
    } finally {
      release();
    }
  }
}
