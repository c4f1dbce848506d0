import type { Job } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { RunRows } from '../runs/run-rows.tsx';
import { recentRunsQuery } from './queries.ts';

function Runs({ env, job }: { env: string; job: Job }) {
  const { data, error, refetch } = useQuery(recentRunsQuery(env, job.repository, job.name));
  if (data === undefined) return error === null ? <Loading rows={3} /> : <ErrorState error={error} retry={refetch} />;
  if (data.length === 0) return <Empty icon="runs" title="The job hasn't run yet" />;
  return <RunRows env={env} runs={data} />;
}

/** The latest runs of the job. */
export function RecentRuns({ env, job }: { env: string; job: Job }) {
  const { name, repository } = job;
  return (
    <section className="card" aria-label="Recent runs">
      <div className="row toolbar spread">
        <h2>Recent runs</h2>
        <Link to="/$env/runs" params={{ env }} search={{ view: 'list', job: name, repository }} className="link">
          All runs of this job
        </Link>
      </div>
      <Runs env={env} job={job} />
    </section>
  );
}
