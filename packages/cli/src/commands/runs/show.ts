import { boolean, integer } from '@oclif/core/flags';
import type { RunTask } from '@svc/sdk';
import { envFlag, idArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { count, duration, time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { followUntilFinished } from '../../texts/run-outcome.ts';
import { failureLine, runFields } from '../../texts/run-text.ts';

const TASK_COLUMNS: readonly TableColumn<RunTask>[] = [
  { header: 'asset', cell: ({ asset }) => asset },
  { header: 'status', cell: ({ status }) => status, state: true },
  { header: 'rows', cell: ({ rows }) => count(rows), right: true, hide: 2 },
  { header: 'took', cell: ({ started_at, ended_at }) => duration(started_at, ended_at), hide: 3 },
  { header: 'snapshot', cell: ({ snapshot_id }) => snapshot_id?.toString(), hide: 0 },
];

type AssetCheck = NonNullable<RunTask['checks']>[number] & { asset: string };

const CHECK_COLUMNS: readonly TableColumn<AssetCheck>[] = [
  { header: 'asset', cell: ({ asset }) => asset },
  { header: 'check', cell: ({ name }) => name },
  { header: 'status', cell: ({ status }) => status, state: true },
  { header: 'rows', cell: ({ rows }) => count(rows), right: true, hide: 1 },
];

type AssetAttempt = NonNullable<RunTask['attempts']>[number] & { asset: string };

const ATTEMPT_COLUMNS: readonly TableColumn<AssetAttempt>[] = [
  { header: 'asset', cell: ({ asset }) => asset },
  { header: 'attempt', cell: ({ number }) => number, right: true },
  { header: 'status', cell: ({ status }) => status, state: true },
  { header: 'started', cell: ({ started_at }) => time(started_at), hide: 2 },
  { header: 'took', cell: ({ started_at, ended_at }) => duration(started_at, ended_at), hide: 3 },
  { header: 'error', cell: failureLine, hide: 1 },
];

/** The attempts of tasks that had several, or one whose worker was lost. */
const attemptsOf = ({ asset, attempts = [] }: RunTask): AssetAttempt[] =>
  attempts.length > 1 || attempts.some(({ status }) => status === 'lost')
    ? attempts.map((attempt) => ({ asset, ...attempt }))
    : [];

export default class RunsShow extends SvcCommand<typeof RunsShow> {
  static override summary = 'Show a run and its tasks, or follow it until it finishes';
  static override examples = ['svc runs show 01997c2e-7b7a-7c1e-8000-000000000001 --env dev --follow'];
  static override args = { id: idArg('run') };
  static override flags = {
    ...envFlag,
    follow: boolean({ description: 'follow the run until it finishes; the exit code reports its outcome' }),
    timeout: integer({
      description: 'maximum time to follow the run, in seconds (default: no limit)',
      helpValue: 'SECONDS',
      min: 1,
      dependsOn: ['follow'],
    }),
  };

  async run(): Promise<void> {
    const run = await this.client.runs.get(this.environment, await this.fullId('run', this.args.id));
    if (this.flags.follow) {
      await followUntilFinished(this, run, this.flags.timeout);
      return;
    }
    this.record(run, runFields(run));
    if (this.json || run.tasks.length === 0) return;
    this.print('');
    await this.list(run.tasks, TASK_COLUMNS, '');
    const failed = run.tasks.filter(({ error }) => error !== null);
    const failures = failed.map((task) => `${task.asset}: ${failureLine(task)}`);
    if (failures.length > 0) this.print(['', ...failures].join('\n'));
    const attempts = run.tasks.flatMap(attemptsOf);
    if (attempts.length > 0) {
      this.print('');
      await this.list(attempts, ATTEMPT_COLUMNS, '');
    }
    const checks = run.tasks.flatMap(({ asset, checks = [] }) => checks.map((check) => ({ asset, ...check })));
    if (checks.length > 0) {
      this.print('');
      await this.list(checks, CHECK_COLUMNS, '');
    }
    const remedies = new Set(run.tasks.flatMap(({ error }) => error?.remedy ?? []));
    if (remedies.size === 0 && run.error?.remedy) remedies.add(run.error.remedy);
    for (const remedy of remedies) this.note(escaped(`Next: ${remedy}`));
  }
}
