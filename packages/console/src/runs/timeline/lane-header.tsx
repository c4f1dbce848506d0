import { Link } from '@tanstack/react-router';
import { Name } from '../../design/name.tsx';
import { Time } from '../../design/time.tsx';
import { plural } from '../../text/numbers.ts';
import type { Period } from './period.ts';
import { isInPeriod, type Row } from './rows.ts';

/** When the job starts next, or what it waits for. */
function State({ env, row: { job, jobName } }: { env: string; row: Row }) {
  if (jobName === null) return <>without a job</>;
  if (job === null) return <>not deployed</>;
  if (job.waits_for_run_id !== null)
    return (
      <>
        waits for{' '}
        <Link to="/$env/runs/$run" params={{ env, run: job.waits_for_run_id }} search={{}} className="link">
          another run
        </Link>
      </>
    );
  if (job.state === 'scheduled' && job.next_run_at !== null)
    return (
      <>
        next <Time at={job.next_run_at} />
      </>
    );
  return <>{job.state}</>;
}

/** The job of a line, with what can't be seen from its bars. */
export function LaneHeader({ env, row, period }: { env: string; row: Row; period: Period }) {
  const { repository, jobName } = row;
  const spans = row.spans.filter((span) => isInPeriod(span, period));
  const failed = spans.filter(({ status }) => status === 'failed').length;
  const search = { view: 'list', repository, job: jobName ?? undefined };
  return (
    <>
      <span className="clipped">
        <Link to="/$env/runs" params={{ env }} search={search} className="lane-name">
          <Name>{jobName ?? repository}</Name>
        </Link>
        {jobName === null ? null : (
          <span className="soft wide-only">
            {' '}
            <Name>{repository}</Name>
          </span>
        )}
      </span>
      <span className="clipped soft lane-state">
        {/* Narrow lines have room for one of the two. */}
        <span className={spans.length === 0 ? undefined : 'wide-only'}>
          <State env={env} row={row} />
        </span>
        <span className="wide-only"> · </span>
        <span className={spans.length === 0 ? 'wide-only' : undefined}>
          {spans.length === 0 ? 'no runs' : plural(spans.length, 'run')}
        </span>
        {failed === 0 ? null : <b className="failed">, {failed} failed</b>}
      </span>
    </>
  );
}
