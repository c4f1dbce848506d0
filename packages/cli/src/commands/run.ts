import { boolean, string } from '@oclif/core/flags';
import { envFlag, timeoutFlag } from '../arguments/flags.ts';
import { SvcCommand } from '../svc-command.ts';
import { followUntilFinished, startedSentence } from '../texts/run-outcome.ts';

export default class Run extends SvcCommand<typeof Run> {
  static override summary = 'Run selected assets of a deployed project and follow the run';
  static override examples = [
    'svc run --repo shop --env dev --select sales.orders --downstream',
    "svc run --repo shop --env dev --select 'tag:daily'",
    'svc run --repo shop --env dev --select sales.orders --full-refresh',
  ];
  static override flags = {
    ...envFlag,
    repo: string({ description: 'repository of the deployed project', helpValue: 'NAME', required: true }),
    select: string({
      description: 'assets to run: names, with * as a wildcard, or tag:NAME (default: all)',
      helpValue: 'PATTERN',
      multiple: true,
    }),
    upstream: boolean({ description: 'also run the assets that they depend on' }),
    downstream: boolean({ description: 'also run the assets that depend on them' }),
    'full-refresh': boolean({ description: 'build incremental assets from the start, replacing their rows' }),
    wait: boolean({ description: 'follow the run until it finishes (default: on)', default: true, allowNo: true }),
    ...timeoutFlag,
  };

  async run(): Promise<void> {
    const { repo, select, upstream, downstream, wait, timeout } = this.flags;
    const run = await this.client.runs.create(this.environment, {
      repository: repo,
      ...(select === undefined ? {} : { select }),
      ...(upstream ? { upstream } : {}),
      ...(downstream ? { downstream } : {}),
      ...(this.flags['full-refresh'] ? { full_refresh: true } : {}),
    });
    if (!wait) return this.done(run, startedSentence(run, this.environment));
    await followUntilFinished(this, run, timeout);
  }
}
