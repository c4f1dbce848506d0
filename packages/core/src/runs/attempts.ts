import type { RunTask, TaskAttempt } from './contract.ts';

/** What a task stores about its attempts. */
export interface StoredAttempts {
  /** How many attempts were started. */
  readonly count: number;
  /** Those that finished and aren't described by the task itself. */
  readonly past: readonly TaskAttempt[];
}

/** The attempts of a task, oldest first: the past ones, and the latest one, which the task itself describes (RUN-16). */
export function attemptsOf(
  { status, started_at, ended_at, error }: RunTask,
  { count, past }: StoredAttempts,
): TaskAttempt[] {
  if (status === 'queued' || status === 'skipped' || started_at === null) return [...past];
  if (past.at(-1)?.number === count) return [...past];
  return [...past, { number: Math.max(count, 1), status, started_at, ended_at, error }];
}
