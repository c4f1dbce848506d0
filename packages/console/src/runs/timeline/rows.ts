import type { Job, RunTimeline } from '@svc/sdk/browser';
import type { Period } from './period.ts';

/** A run, with its times in milliseconds since 1970: panning needs them many times a second. */
export type Span = RunTimeline['runs'][number] & {
  readonly created: number;
  readonly started: number | null;
  readonly finished: number | null;
};

const instantOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

export const spanOf = (run: RunTimeline['runs'][number]): Span => ({
  ...run,
  created: Date.parse(run.created_at),
  started: instantOf(run.started_at),
  finished: instantOf(run.ended_at),
});

/** Whether the run was queued or running during the period. */
export const isInPeriod = ({ created, finished }: Span, { from, to }: Period): boolean =>
  created < to && (finished === null || finished >= from);

/** One line of the timeline: a job, or the runs of a repository that don't belong to one. */
export interface Row {
  readonly key: string;
  readonly repository: string;
  readonly jobName: string | null;
  /** Null for a job that is no longer deployed, and for runs without one. */
  readonly job: Job | null;
  /** Newest first. */
  readonly spans: readonly Span[];
  /** A line without runs shows when its job starts next, unless the job isn't deployed or a filter of runs is set. */
  readonly showsRunsOnly: boolean;
}

export interface RowFilters {
  readonly status?: string | undefined;
  readonly trigger?: string | undefined;
  readonly job?: string | undefined;
  readonly repository?: string | undefined;
}

const keyOf = (repository: string, job: string | null): string => JSON.stringify([repository, job]);

/** The jobs of an environment with their loaded runs, by repository and name; runs without a job come last in their repository. */
export function rowsOf(jobs: readonly Job[], spans: readonly Span[], filters: RowFilters): Row[] {
  const { status, trigger, job, repository } = filters;
  const statuses = status?.split(',');
  const rows = new Map<string, Omit<Row, 'showsRunsOnly'> & { spans: Span[] }>();
  const add = (row: Pick<Row, 'repository' | 'jobName' | 'job'>) => {
    const key = keyOf(row.repository, row.jobName);
    const added = { ...row, key, spans: [] };
    rows.set(key, added);
    return added;
  };
  for (const each of jobs) add({ repository: each.repository, jobName: each.name, job: each });
  for (const span of spans) {
    const row =
      rows.get(keyOf(span.repository, span.job)) ?? add({ repository: span.repository, jobName: span.job, job: null });
    if (
      (statuses === undefined || statuses.includes(span.status)) &&
      (trigger === undefined || span.trigger === trigger)
    )
      row.spans.push(span);
  }
  const showsRunsOnly = status !== undefined || trigger !== undefined;
  return [...rows.values()]
    .filter((row) => job === undefined || row.jobName === job)
    .filter((row) => repository === undefined || row.repository === repository)
    .map((row) => ({ ...row, showsRunsOnly: showsRunsOnly || row.job === null }))
    .filter((row) => row.spans.length > 0 || !row.showsRunsOnly)
    .sort(inOrder);
}

/** The lines that the period needs. Runs around it are loaded too. */
export const rowsIn = (rows: readonly Row[], period: Period): readonly Row[] =>
  rows.filter(({ spans, showsRunsOnly }) => !showsRunsOnly || spans.some((span) => isInPeriod(span, period)));

function inOrder(a: Row, b: Row): number {
  if (a.repository !== b.repository) return a.repository < b.repository ? -1 : 1;
  if (a.jobName === null || b.jobName === null) return a.jobName === null ? 1 : -1;
  return a.jobName < b.jobName ? -1 : 1;
}
