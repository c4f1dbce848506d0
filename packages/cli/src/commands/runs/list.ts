import { string } from '@oclif/core/flags';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { timeOf } from '../../arguments/since.ts';
import { SvcCommand } from '../../command.ts';
import { watchFlag } from '../../terminal/watch.ts';
import { RUN_COLUMNS } from '../../texts/run-text.ts';

export default class RunsList extends SvcCommand<typeof RunsList> {
  static override summary = 'List runs, newest first';
  static override examples = [
    'svc runs list --env dev --status failed --since 2026-03-01',
    'svc runs list --env dev --job nightly --trigger schedule --limit 20',
    'svc runs list --env dev --status running,queued --watch',
  ];
  static override flags = {
    ...envFlag,
    repo: string({ description: 'only of this repository', helpValue: 'NAME' }),
    status: string({
      description: 'queued, running, succeeded, failed or cancelled',
      helpValue: 'STATUS',
      multiple: true,
    }),
    trigger: string({ description: 'schedule, api or manual', helpValue: 'TRIGGER', multiple: true }),
    job: string({ description: 'only of this job', helpValue: 'NAME' }),
    since: string({ description: 'created at or after; without a zone in that of this computer', helpValue: 'TIME' }),
    ...watchFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { repo, status, trigger, job, since, limit, cursor } = this.flags;
    const filters = { repository: repo, status, trigger, job, since: timeOf('since', since), limit, cursor };
    await this.pageOf(
      (call) => this.client.runs.listPage(this.environment, { ...filters, ...call }),
      RUN_COLUMNS,
      'No runs.',
    );
  }
}
