import type { Run } from '@svc/sdk/browser';

export interface Failure {
  /** The latest. */
  readonly run: Run;
  readonly times: number;
}

const MAX_SHOWN = 6;

/** The failed runs by job or selection, the latest first. @param runs newest first */
export function failuresOf(runs: readonly Run[]): Failure[] {
  const failures = new Map<string, { run: Run; times: number }>();
  for (const run of runs) {
    const key = JSON.stringify([run.repository, run.job, run.job === null ? run.select : null]);
    const known = failures.get(key);
    if (known === undefined) failures.set(key, { run, times: 1 });
    else known.times++;
  }
  return [...failures.values()].slice(0, MAX_SHOWN);
}

/** Why a run failed, in one line: the error of the first task that failed, or its own. */
export function causeOf({ error, tasks }: Run): string {
  const cause = tasks.find(({ status }) => status === 'failed')?.error ?? error;
  return cause?.detail.split('\n')[0] ?? '';
}
