import type { Job } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../design/badge.tsx';
import { Name } from '../design/name.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { jobsQuery } from '../jobs/queries.ts';
import { StatusBadge, titleOf } from '../runs/run-status.tsx';
import { visible } from '../text/visible.ts';
import { Card } from './card.tsx';
import { causeOf, type Failure, failuresOf } from './failures.ts';
import { failuresQuery } from './queries.ts';

/** Jobs in these states don't start on their schedule. */
const STOPPED: readonly Job['state'][] = ['no run principal', 'run principal unusable'];

function FailedRun({ env, failure: { run, times } }: { env: string; failure: Failure }) {
  const cause = visible(causeOf(run));
  return (
    <li className="entry">
      <StatusBadge status={run.status} />
      <span className="clipped grow">
        <Link to="/$env/runs/$run" params={{ env, run: run.id }} search={{}} className="link">
          <Name>{titleOf(run)}</Name>
        </Link>{' '}
        <span className="soft" title={cause}>
          {cause}
        </span>
      </span>
      <span className="soft">
        {times === 1 ? '' : `${times} times, last `}
        <Time at={run.created_at} />
      </span>
    </li>
  );
}

function StoppedJob({ env, job }: { env: string; job: Job }) {
  const search = { view: 'list', job: job.name, repository: job.repository };
  return (
    <li className="entry">
      <Badge tone="warn">{job.state}</Badge>
      <span className="clipped grow">
        <Link to="/$env/runs" params={{ env }} search={search} className="link">
          <Name>{job.name}</Name>
        </Link>{' '}
        <span className="soft">
          <Name>{job.repository}</Name> doesn't start on its schedule
        </span>
      </span>
    </li>
  );
}

/** Failed runs, and jobs that don't start. */
export function Attention({ env }: { env: string }) {
  const failures = useQuery(failuresQuery(env));
  const jobs = useQuery(jobsQuery(env));
  const runs = failures.data?.items;
  const error = failures.error ?? jobs.error;
  const stopped = jobs.data?.filter(({ state }) => STOPPED.includes(state)) ?? [];
  return (
    <Card
      title="Needs attention"
      more={
        <Link to="/$env/runs" params={{ env }} search={{ view: 'list', status: 'failed' }} className="link">
          Failed runs
        </Link>
      }
    >
      {runs === undefined || jobs.data === undefined ? (
        error === null ? (
          <Loading rows={3} />
        ) : (
          <ErrorState error={error} />
        )
      ) : runs.length + stopped.length === 0 ? (
        <p className="soft entry">No run failed in the last 24 hours, and every schedule is active or paused.</p>
      ) : (
        <ul>
          {stopped.map((job) => (
            <StoppedJob key={`${job.repository}/${job.name}`} env={env} job={job} />
          ))}
          {failuresOf(runs).map((failure) => (
            <FailedRun key={failure.run.id} env={env} failure={failure} />
          ))}
        </ul>
      )}
    </Card>
  );
}
