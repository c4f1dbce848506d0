import type { Deployment } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { DataTable } from '../design/data-table.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useShown } from '../design/use-shown.ts';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { Commit } from './commit.tsx';
import { deploymentsQuery } from './queries.ts';

const COLUMNS = ['Project', 'Commit', 'Runs as', ['First deployed', 'end wide-only'], ['Last change', 'end']] as const;

function DeploymentRow({ env, deployment }: { env: string; deployment: Deployment }) {
  const { repository, run_as, created_at, updated_at } = deployment;
  return (
    <tr className="linked">
      <td>
        <Link to="/$env/projects/$repository" params={{ env, repository }} search={{}} className="rowlink">
          <Name>{repository}</Name>
        </Link>
      </td>
      <td>
        <Commit {...deployment} />
      </td>
      <td>{run_as === null ? <span className="soft">nobody</span> : <Name>{run_as}</Name>}</td>
      <td className="end soft wide-only">
        <Time at={created_at} />
      </td>
      <td className="end soft">
        <Time at={updated_at} />
      </td>
    </tr>
  );
}

function Deployments({ env, deployments }: { env: string; deployments: readonly Deployment[] }) {
  const { shown, more } = useShown(deployments);
  return (
    <>
      <DataTable columns={COLUMNS}>
        {shown.map((deployment) => (
          <DeploymentRow key={deployment.repository} env={env} deployment={deployment} />
        ))}
      </DataTable>
      <LoadMore query={more} />
    </>
  );
}

/** The projects that are deployed in an environment. */
export function ProjectsPage() {
  const { env } = useParams({ from: '/signed-in/$env/projects' });
  const { data, error, refetch } = useQuery(deploymentsQuery(env));
  useTitle('Projects', env);
  return (
    <div className="page">
      <PageHeader title="Projects" command={svcCommand('deployments list', null, { env })} />
      <section className="card" aria-label="Projects">
        {error !== null ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <Loading />
        ) : data.length === 0 ? (
          <Empty icon="projects" title="Nothing is deployed yet" command={svcCommand('deploy', '.', { env })}>
            A project is a folder with svc.yaml and assets. Deploy one: svc checks it, stores a version, and runs its
            jobs.
          </Empty>
        ) : (
          <Deployments env={env} deployments={data} />
        )}
      </section>
    </div>
  );
}
