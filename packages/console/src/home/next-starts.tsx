import type { Job } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Name } from '../design/name.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { jobsQuery } from '../jobs/queries.ts';
import { StatusBadge } from '../runs/run-status.tsx';
import { Card } from './card.tsx';

const MAX_JOBS = 6;

type ScheduledJob = Job & { next_run_at: string };

/** The jobs that start next, the soonest first. */
export function nextStarts(jobs: readonly Job[]): ScheduledJob[] {
  return jobs
    .filter((job): job is ScheduledJob => job.next_run_at !== null && job.state === 'scheduled')
    .sort((a, b) => Date.parse(a.next_run_at) - Date.parse(b.next_run_at))
    .slice(0, MAX_JOBS);
}

export function NextStarts({ env }: { env: string }) {
  const { data, error } = useQuery(jobsQuery(env));
  const jobs = nextStarts(data ?? []);
  return (
    <Card title="Starts next">
      {data === undefined ? (
        error === null ? (
          <Loading rows={3} />
        ) : (
          <ErrorState error={error} />
        )
      ) : jobs.length === 0 ? (
        <p className="soft entry">No job has a schedule that is active. Schedules are in the svc.yaml of a project.</p>
      ) : (
        <ul>
          {jobs.map(
            ({ name, repository, next_run_at: next, next_run_local: local, timezone, last_run_status: last }) => (
              <li key={`${repository}/${name}`} className="entry">
                <span className="clipped grow">
                  <Link
                    to="/$env/runs"
                    params={{ env }}
                    search={{ view: 'list', job: name, repository }}
                    className="link"
                  >
                    <Name>{name}</Name>
                  </Link>{' '}
                  <span className="soft">
                    <Name>{repository}</Name>
                  </span>
                </span>
                {last === null ? null : <StatusBadge status={last} />}
                <span className="soft" title={local === null ? undefined : `${local} ${timezone ?? ''}`}>
                  <Time at={next} />
                </span>
              </li>
            ),
          )}
        </ul>
      )}
    </Card>
  );
}
