import type { Run, RunTask } from '@svc/sdk';
import { duration, time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';
import type { Fields } from '../svc-command.ts';

/** The specification puts job, trigger, scheduled for and missed at the end. */
export const RUN_COLUMNS: readonly TableColumn<Run>[] = [
  { header: 'id', cell: (run) => run.id, id: true },
  { header: 'status', cell: (run) => run.status, state: true },
  { header: 'repository', cell: (run) => run.repository, hide: 5 },
  { header: 'created', cell: (run) => time(run.created_at), hide: 6 },
  { header: 'took', cell: (run) => duration(run.started_at, run.ended_at), hide: 4 },
  { header: 'job', cell: (run) => run.job, hide: 7 },
  { header: 'trigger', cell: (run) => run.trigger, hide: 3 },
  { header: 'scheduled for', cell: (run) => time(run.scheduled_for), hide: 2 },
  { header: 'missed', cell: (run) => run.missed, right: true, hide: 1 },
];

/** The first line of a task's error; the JSON and the log contain all of it. */
export function failureLine({ error }: Pick<RunTask, 'error'>): string | null {
  if (error === null) return null;
  const [first = '', ...more] = error.detail.split('\n');
  return more.length === 0 ? first : `${first} …`;
}

export function runFields(run: Run): Fields {
  return [
    ['id', run.id],
    ['status', run.status],
    ['environment', run.environment],
    ['repository', run.repository],
    ['project version', run.project_version_id],
    ['principal', run.principal],
    ['requested by', run.requested_by],
    ['select', run.select.join(' ')],
    ...(run.full_refresh ? [['full refresh', 'yes'] as const] : []),
    ...(run.retry_of == null ? [] : [['retry of', run.retry_of] as const]),
    ...(run.retried_by === undefined || run.retried_by.length === 0
      ? []
      : [['retried by', run.retried_by.join(' ')] as const]),
    ['created', time(run.created_at)],
    ['took', duration(run.started_at, run.ended_at)],
    ...(run.error === null ? [] : [['error', run.error.detail] as const]),
    ['job', run.job],
    ['trigger', run.trigger],
    ['scheduled for', time(run.scheduled_for)],
    ['missed', String(run.missed)],
  ];
}
