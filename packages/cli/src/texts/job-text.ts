import { shellCommand, shellOption } from '@svc/core/command-lines';
import type { Job, Trigger } from '@svc/sdk';
import { time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';

/** A trigger on one line: `schedule 0 6 * * * Europe/Berlin (paused)` or `on demand`. */
export function triggerLine(trigger: Trigger): string {
  if (trigger.kind !== 'schedule') return 'on demand';
  return `schedule ${trigger.cron} ${trigger.timezone}${trigger.paused ? ' (paused)' : ''}`;
}

/** Narrower terminals show only name and state. */
const NARROW = 100;

export const JOB_COLUMNS: readonly TableColumn<Job>[] = [
  { header: 'name', cell: (job) => job.name },
  { header: 'state', cell: (job) => job.state, state: true },
  { header: 'triggers', cell: (job) => job.triggers.map(triggerLine), hide: 1, hideBelow: NARROW, whole: true },
  { header: 'next run', cell: nextRun, hide: 2, hideBelow: NARROW, whole: true },
  { header: 'repository', cell: (job) => job.repository, hide: 3, hideBelow: NARROW, whole: true },
  { header: 'last run', cell: lastRun, hide: 4, hideBelow: NARROW, whole: true },
];

export function nextRun(job: Job): string {
  return time(job.next_run_local ?? job.next_run_at);
}

export function lastRun({ last_run_at, last_run_status }: Job): string {
  return last_run_status === null ? '-' : `${last_run_status} ${time(last_run_at)}`;
}

/** Why a job waits or can't start, and what to do; null for other jobs. */
export function stateSentence({
  name,
  state,
  repository,
  environment,
  waiting_for,
  waits_for_run_id,
}: Job): string | null {
  const bind = shellCommand('svc deployments set-run-as', repository, [
    shellOption('env', environment),
    '--principal NAME',
  ]);
  switch (state) {
    case 'waiting':
      return `${name} waits for the active run ${waits_for_run_id ?? waiting_for?.waits_for_run_id ?? '-'} of its project.`;
    case 'waiting to start':
      return `${name} waits to start: its project is free, so it starts within seconds.`;
    case 'no run principal':
      return `${name} has a schedule but no run principal, so the schedule doesn't fire. Bind a service account: ${bind}`;
    case 'run principal unusable':
      return `${name} can't start: its run principal is inactive or isn't a service account. Bind another one: ${bind}`;
    default:
      return null;
  }
}
