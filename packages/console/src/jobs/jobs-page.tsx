import type { Job } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { DataTable } from '../design/data-table.tsx';
import { Filter } from '../design/filter.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty, ErrorState, Loading, NoMatch, Outdated } from '../design/states.tsx';
import { Time, ZonedTime } from '../design/time.tsx';
import { useShown } from '../design/use-shown.ts';
import { useTitle } from '../design/use-title.ts';
import { StatusBadge } from '../runs/run-status.tsx';
import { svcCommand } from '../text/commands.ts';
import { visible } from '../text/visible.ts';
import { hasReason, JobReason, JobStateBadge, STATES } from './job-state.tsx';
import { type JobFilters, matchingJobs } from './matching-jobs.ts';
import { jobsQuery } from './queries.ts';

function LastRun({ env, job }: { env: string; job: Job }) {
  const { last_run_id: run, last_run_status: status, last_run_at: at } = job;
  if (run === null || status === null || at === null) return <span className="soft">never</span>;
  return (
    <Link to="/$env/runs/$run" params={{ env, run }} search={{}} className="row above nested">
      <StatusBadge status={status} />
      <span className="soft wide-only">
        <Time at={at} />
      </span>
    </Link>
  );
}

function JobRow({ env, job }: { env: string; job: Job }) {
  const { name, repository, state, cron, timezone, next_run_at, next_run_local } = job;
  return (
    <tr className="linked">
      <td className="fit wide-only">
        <JobStateBadge state={state} />
      </td>
      <td>
        <div className="narrow-only">
          <JobStateBadge state={state} />
        </div>
        <Link to="/$env/jobs/$repository/$job" params={{ env, repository, job: name }} className="rowlink">
          <Name>{name}</Name>
        </Link>{' '}
        <span className="soft">
          in{' '}
          <Link to="/$env/projects/$repository" params={{ env, repository }} search={{}} className="above link">
            <Name>{repository}</Name>
          </Link>
        </span>
        {hasReason(job) ? (
          <p className="soft">
            <JobReason env={env} job={job} />
          </p>
        ) : null}
      </td>
      <td className="wide-only">
        {cron === null || timezone === null ? (
          <span className="soft">on demand</span>
        ) : (
          <span className="row">
            <span className="mono">
              <Name>{cron}</Name>
            </span>
            <span className="soft">
              <Name>{timezone}</Name>
            </span>
          </span>
        )}
      </td>
      <td className="end wide-only">
        {next_run_at === null || next_run_local === null ? (
          <span className="soft">–</span>
        ) : (
          <ZonedTime at={next_run_at} local={next_run_local} />
        )}
      </td>
      <td className="fit">
        <LastRun env={env} job={job} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  ['State', 'wide-only'],
  'Job',
  ['Schedule', 'wide-only'],
  ['Next run', 'end wide-only'],
  'Last run',
] as const;

function JobTable({ env, jobs }: { env: string; jobs: readonly Job[] }) {
  const { shown, more } = useShown(jobs);
  return (
    <>
      <DataTable columns={COLUMNS}>
        {shown.map((job) => (
          <JobRow key={JSON.stringify([job.repository, job.name])} env={env} job={job} />
        ))}
      </DataTable>
      <LoadMore query={more} />
    </>
  );
}

function Jobs({ env, filters, onClear }: { env: string; filters: JobFilters; onClear: () => void }) {
  const { data, error, refetch } = useQuery(jobsQuery(env));
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />;
  if (data.length === 0)
    return (
      <Empty icon="jobs" title="No jobs yet" command={svcCommand('deploy', '.', { env })}>
        A job builds a selection of assets, on a schedule or on demand. Declare it below jobs in svc.yaml, then deploy
        the project.
      </Empty>
    );
  const jobs = matchingJobs(data, filters);
  if (jobs.length === 0) return <NoMatch icon="jobs" title="No job matches" onClear={onClear} />;
  return (
    <>
      <Outdated what="The list" error={error} />
      <JobTable key={JSON.stringify(filters)} env={env} jobs={jobs} />
    </>
  );
}

function Filters({ env, filters, onChange }: { env: string; filters: JobFilters; onChange: (f: JobFilters) => void }) {
  const { data = [] } = useQuery(jobsQuery(env));
  const repositories = [...new Set(data.map(({ repository }) => repository))];
  const search = useCallback((q: string) => onChange({ q: q === '' ? undefined : q }), [onChange]);
  return (
    <search className="row" aria-label="Filters">
      <SearchBox label="Search jobs" value={filters.q ?? ''} onChange={search} />
      <Filter
        label="Repository"
        value={filters.repository}
        choices={repositories.map((repository) => [repository, visible(repository)])}
        onChange={(repository) => onChange({ repository })}
      />
      <Filter
        label="State"
        value={filters.state}
        choices={STATES.map((state) => [state, state])}
        onChange={(state) => onChange({ state })}
      />
    </search>
  );
}

/** The jobs of an environment: what they wait for, when they run next, and how their last runs went. */
export function JobsPage() {
  const { env } = useParams({ from: '/signed-in/$env/jobs' });
  const filters = useSearch({ from: '/signed-in/$env/jobs' });
  const navigate = useNavigate({ from: '/$env/jobs' });
  useTitle('Jobs', env);
  const change = useCallback(
    (changed: JobFilters) =>
      void navigate({
        search: (search) => ({ ...search, ...changed }),
        // While someone types, the address changes, and Back leads to what was before.
        replace: 'q' in changed && filters.q !== undefined,
      }),
    [navigate, filters.q],
  );
  return (
    <div className="page">
      <PageHeader title="Jobs" command={svcCommand('job list', null, { env, repo: filters.repository })} />
      <Filters env={env} filters={filters} onChange={change} />
      <section className="card" aria-label="Jobs">
        <Jobs env={env} filters={filters} onClear={() => void navigate({ search: {} })} />
      </section>
    </div>
  );
}
