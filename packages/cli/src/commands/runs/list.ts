import { string } from '@oclif/core/flags';
import { envFlag, pageFlags, sinceFlag, untilFlag } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { SvcCommand } from '../../svc-command.ts';
import { watchFlag } from '../../terminal/watch.ts';
import { RUN_COLUMNS } from '../../texts/run-text.ts';

export default class RunsList extends SvcCommand<typeof RunsList> {
  static override summary = 'List runs, newest first';
  static override examples = [
    'svc runs list --env dev --status failed --since 2026-03-01',
    'svc runs list --env dev --job nightly --trigger schedule --since 2d --limit 20',
    'svc runs list --env dev --status running,queued --watch',
  ];
  static override flags = {
    ...envFlag,
    repo: string({ description: 'only this repository', helpValue: 'NAME' }),
    status: string({
      description: 'only this status: queued, running, succeeded, failed or cancelled',
      helpValue: 'STATUS',
      multiple: true,
    }),
    trigger: string({
      description: 'only this trigger: schedule, api or manual',
      helpValue: 'TRIGGER',
      multiple: true,
    }),
    job: string({ description: 'only this job', helpValue: 'NAME' }),
    ...sinceFlag('earliest creation'),
    ...untilFlag,
    ...watchFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { repo, status, trigger, job, since, until } = this.flags;
    const period = { since: parseTime('since', since), until: parseTime('until', until) };
    const filters = { repository: repo, status, trigger, job, ...period };
    await this.pagedList(
      (page) => this.client.runs.listPage(this.environment, { ...filters, ...page }),
      RUN_COLUMNS,
      'No runs.',
    );
  }
}
