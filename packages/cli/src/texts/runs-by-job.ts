import type { RunTimeline } from '@svc/sdk';
import { durationText, time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';

type RunSpan = RunTimeline['runs'][number];

interface JobRuns {
  /** Null for runs without a job. */
  readonly job: string | null;
  readonly repository: string;
  readonly runs: number;
  readonly active: number;
  readonly failed: number;
  /** Milliseconds of finished runs from start to end; null without one. */
  readonly median: number | null;
  readonly longest: number | null;
  /** The newest run. */
  readonly last: RunSpan;
}

export const JOB_RUN_COLUMNS: readonly TableColumn<JobRuns>[] = [
  { header: 'job', cell: ({ job }) => job },
  { header: 'repository', cell: ({ repository }) => repository, hide: 4 },
  { header: 'runs', cell: ({ runs }) => runs, right: true },
  { header: 'active', cell: ({ active }) => active, right: true, hide: 3 },
  { header: 'failed', cell: ({ failed }) => failed, right: true },
  { header: 'median', cell: ({ median }) => durationText(median), right: true, hide: 2 },
  { header: 'longest', cell: ({ longest }) => durationText(longest), right: true, hide: 1 },
  { header: 'last', cell: ({ last }) => last.status, state: true },
  { header: 'created', cell: ({ last }) => time(last.created_at), hide: 5 },
];

/** The runs of each job, fewest first. @param runs newest first */
export function runsByJob(runs: readonly RunSpan[]): JobRuns[] {
  const groups = new Map<string, RunSpan[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.repository, run.job]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  return [...groups.values()].map(summary).sort((a, b) => a.runs - b.runs);
}

function summary(runs: readonly RunSpan[]): JobRuns {
  const last = runs[0]!;
  const durations = runs
    .flatMap(({ started_at, ended_at }) =>
      started_at === null || ended_at === null ? [] : [Date.parse(ended_at) - Date.parse(started_at)],
    )
    .sort((a, b) => a - b);
  return {
    job: last.job,
    repository: last.repository,
    runs: runs.length,
    active: runs.filter(({ ended_at }) => ended_at === null).length,
    failed: runs.filter(({ status }) => status === 'failed').length,
    median: durations[Math.floor((durations.length - 1) / 2)] ?? null,
    longest: durations.at(-1) ?? null,
    last,
  };
}
