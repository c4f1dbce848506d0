import type { Deployment } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { Tabs } from '../design/tabs.tsx';
import { Time } from '../design/time.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { AssetsTab } from './assets-tab.tsx';
import { Commit, ShortId } from './commit.tsx';
import { Comparison } from './comparison.tsx';
import { DeployDetails } from './deploy-details.tsx';
import { DeploysTab } from './deploys-tab.tsx';
import { deploymentsQuery } from './queries.ts';
import { VersionsTab } from './versions-tab.tsx';

const TABS = { versions: 'Versions', deploys: 'Deploys', assets: 'Assets' } as const;
type Tab = keyof typeof TABS;

const tabOf = (tab: string | undefined): Tab => (tab === 'deploys' || tab === 'assets' ? tab : 'versions');

function factsOf(env: string, deployment: Deployment): readonly (readonly [string, ReactNode])[] {
  const { repository, project_version_id, run_as, created_at, updated_at } = deployment;
  return [
    ['Active version', <ShortId key="version" id={project_version_id} />],
    ['Commit', <Commit key="commit" {...deployment} />],
    ['Runs as', run_as === null ? 'nobody' : <Name key="principal">{run_as}</Name>],
    ['First deployed', <Time key="created" at={created_at} />],
    ['Last change', <Time key="updated" at={updated_at} />],
    [
      'Jobs and runs',
      <span key="links" className="row">
        <Link to="/$env/jobs" params={{ env }} search={{ repository }} className="link">
          Jobs
        </Link>
        <Link to="/$env/runs" params={{ env }} search={{ repository }} className="link">
          Runs
        </Link>
      </span>,
    ],
  ];
}

interface Shown {
  tab: Tab;
  deploy: string | undefined;
  compare: string | undefined;
  against: string | undefined;
}

/** The command that shows what the tab shows. */
function commandOf(env: string, repository: string, shown: Shown, version: string | undefined) {
  const { tab, deploy, compare, against } = shown;
  if (tab === 'versions' && compare !== undefined) return svcCommand('project-version diff', compare, { env, against });
  if (tab === 'deploys' && deploy !== undefined) return svcCommand('deploys show', deploy, { env });
  if (tab === 'deploys') return svcCommand('deploys list', null, { env, repo: repository });
  if (tab === 'assets' && version !== undefined) return svcCommand('project-version show', version, { env });
  return svcCommand('project-version list', null, { env, repo: repository });
}

interface ProjectProps {
  env: string;
  repository: string;
  deployment: Deployment | undefined;
}

function Loaded({ env, repository, deployment }: ProjectProps) {
  const { tab, deploy, compare, against } = useSearch({ from: '/signed-in/$env/projects/$repository' });
  const shown = tabOf(tab);
  return (
    <>
      {deployment === undefined ? (
        <p className="notice">
          <span>
            <Name>{repository}</Name> isn't deployed in this environment.
          </span>
        </p>
      ) : (
        <Facts facts={factsOf(env, deployment)} />
      )}
      <Tabs label="Parts of the project">
        {(Object.keys(TABS) as Tab[]).map((each) => (
          <Link
            key={each}
            to="/$env/projects/$repository"
            params={{ env, repository }}
            search={each === 'versions' ? {} : { tab: each }}
            // A deploy and a comparison are parts of their tabs.
            activeOptions={{
              exact: each !== shown || (each === 'versions' && compare === undefined),
              includeSearch: true,
            }}
          >
            {TABS[each]}
          </Link>
        ))}
      </Tabs>
      <section className="card" aria-label={TABS[shown]}>
        {shown === 'assets' ? (
          <AssetsTab env={env} version={deployment?.project_version_id} />
        ) : shown === 'versions' ? (
          compare === undefined ? (
            <VersionsTab env={env} repository={repository} />
          ) : (
            <Comparison env={env} repository={repository} id={compare} against={against} />
          )
        ) : deploy === undefined ? (
          <DeploysTab env={env} repository={repository} />
        ) : (
          <DeployDetails key={deploy} env={env} repository={repository} id={deploy} />
        )}
      </section>
    </>
  );
}

/** A project in an environment: its versions, deploys and assets. */
export function ProjectPage() {
  const { env, repository } = useParams({ from: '/signed-in/$env/projects/$repository' });
  const { tab, deploy, compare, against } = useSearch({ from: '/signed-in/$env/projects/$repository' });
  const { data, error, refetch } = useQuery(deploymentsQuery(env));
  const deployment = data?.find((each) => each.repository === repository);
  useTitle(repository, 'Projects', env);
  return (
    <div className="page">
      <PageHeader
        crumbs={[
          <Link key="projects" to="/$env/projects" params={{ env }} search={{}}>
            Projects
          </Link>,
        ]}
        title={<Name>{repository}</Name>}
        command={commandOf(
          env,
          repository,
          { tab: tabOf(tab), deploy, compare, against },
          deployment?.project_version_id,
        )}
      />
      {error !== null ? (
        <div className="card">
          <ErrorState error={error} retry={refetch} />
        </div>
      ) : data === undefined ? (
        <div className="card">
          <Loading />
        </div>
      ) : (
        <Loaded env={env} repository={repository} deployment={deployment} />
      )}
    </div>
  );
}
