import type { Run, RunTask } from '@svc/sdk/browser';
import { Badge } from '../design/badge.tsx';
import { useNow } from '../design/use-now.ts';
import { duration } from '../text/times.ts';
import { type Status, toneOf } from './status-tone.ts';

export function StatusBadge({ status }: { status: Status }) {
  return (
    <Badge tone={toneOf(status)} dot={status === 'running' ? 'live' : 'still'}>
      {status}
    </Badge>
  );
}

export const TRIGGERS = { schedule: 'Schedule', api: 'API', manual: 'Manual' };

interface Span {
  started_at: string | null;
  ended_at: string | null;
}

/** How long it took, or has taken so far. */
export function Elapsed({ started_at, ended_at }: Span) {
  const now = useNow(started_at !== null && ended_at === null ? 1000 : 60_000);
  if (started_at === null) return <>–</>;
  const end = ended_at === null ? now : Date.parse(ended_at);
  return <span className="number">{duration(end - Date.parse(started_at))}</span>;
}

/** The tasks of a run by status, as one bar. */
export function TaskBar({ tasks }: { tasks: readonly RunTask[] }) {
  const done = tasks.filter(({ status }) => status === 'succeeded').length;
  return (
    <span className="task-bar" role="img" aria-label={`${done} of ${tasks.length} tasks succeeded`}>
      {tasks.slice(0, 60).map(({ asset, status }) => (
        <i key={asset} className={`tone-${toneOf(status)}`} />
      ))}
    </span>
  );
}

/** The job, or what was selected. */
export const titleOf = ({ job, select }: Pick<Run, 'job' | 'select'>): string =>
  job ?? (select.length === 1 && select[0] === '*' ? 'All assets' : select.join(', '));
