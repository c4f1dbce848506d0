import type { Job } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Command } from '../design/copy.tsx';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { ErrorState, Loading, Outdated } from '../design/states.tsx';
import { ZonedTime } from '../design/time.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { JobActions } from './job-actions.tsx';
import { hasReason, JobReason, JobStateBadge } from './job-state.tsx';
import { jobQuery } from './queries.ts';
import { RecentRuns } from './recent-runs.tsx';
import { useRunPrincipal } from './run-principal.ts';
import { Schedule } from './schedule.tsx';

function Reason({ env, job }: { env: string; job: Job }) {
  if (!hasReason(job)) return null;
  const isUnbound = job.waiting_for === null;
  return (
    <div className={isUnbound ? 'notice warn' : 'notice'}>
      <p>
        <JobReason env={env} job={job} />.{isUnbound ? ' Bind a service account to the project:' : ''}
      </p>
      {isUnbound ? (
        <Command>{`${svcCommand('deployments set-run-as', job.repository, { env })} --principal NAME`}</Command>
      ) : null}
    </div>
  );
}

function RunPrincipal({ env, job }: { env: string; job: Job }) {
  const principal = useRunPrincipal(env, job.repository);
  if (principal === undefined) return <>–</>;
  if (principal === null) return <>no service account is bound</>;
  return (
    <>
      <Name>{principal}</Name>
      {job.state === 'run principal unusable' ? ' (unusable)' : ''}
    </>
  );
}

function selectionOf({ select, upstream, downstream }: Job): ReactNode {
  const more = [upstream ? 'what they read' : null, downstream ? 'what reads them' : null].filter(
    (text) => text !== null,
  );
  return (
    <>
      <span className="mono">
        <Name>{select.join(' ')}</Name>
      </span>
      {more.length === 0 ? null : ` and ${more.join(', and ')}`}
    </>
  );
}

function factsOf(env: string, job: Job): readonly (readonly [string, ReactNode])[] {
  const { repository, cron, timezone, paused, next_run_at: at, next_run_local: local } = job;
  return [
    [
      'Schedule',
      cron === null ? (
        'on demand'
      ) : (
        <span key="cron" className="mono">
          <Name>{cron}</Name>
        </span>
      ),
    ],
    ['Time zone', timezone === null ? '–' : <Name key="zone">{timezone}</Name>],
    [
      'Next run',
      at !== null && local !== null ? <ZonedTime key="next" at={at} local={local} /> : paused ? 'paused' : '–',
    ],
    ['Runs as', <RunPrincipal key="principal" env={env} job={job} />],
    ['Selection', selectionOf(job)],
    [
      'Project',
      <Link key="project" to="/$env/projects/$repository" params={{ env, repository }} search={{}} className="link">
        <Name>{repository}</Name>
      </Link>,
    ],
  ];
}

function Loaded({ env, job }: { env: string; job: Job }) {
  return (
    <>
      <Reason env={env} job={job} />
      <Facts facts={factsOf(env, job)} />
      <Schedule env={env} job={job} />
      <RecentRuns env={env} job={job} />
    </>
  );
}

/** A job: its schedule with the next times, its actions and its recent runs. */
export function JobPage() {
  const { env, repository, job: name } = useParams({ from: '/signed-in/$env/jobs/$repository/$job' });
  const { data: job, error, refetch } = useQuery(jobQuery(env, repository, name));
  useTitle(name, 'Jobs', env);
  return (
    <div className="page">
      <PageHeader
        crumbs={[
          <Link key="jobs" to="/$env/jobs" params={{ env }} search={{}}>
            Jobs
          </Link>,
          <Link key="repository" to="/$env/jobs" params={{ env }} search={{ repository }}>
            <Name>{repository}</Name>
          </Link>,
        ]}
        title={<Name>{name}</Name>}
        badges={job === undefined ? null : <JobStateBadge state={job.state} />}
        actions={job === undefined ? undefined : <JobActions env={env} job={job} />}
        command={svcCommand('job show', name, { env, repo: repository })}
      />
      <Outdated what="The page" error={job === undefined ? null : error} />
      {job !== undefined ? (
        <Loaded env={env} job={job} />
      ) : (
        <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>
      )}
    </div>
  );
}
