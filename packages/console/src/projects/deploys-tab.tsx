import type { Deploy } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { Elapsed, StatusBadge } from '../runs/run-status.tsx';
import { svcCommand } from '../text/commands.ts';
import { plural } from '../text/numbers.ts';
import { Commit, ShortId } from './commit.tsx';
import { deploysQuery } from './queries.ts';

const COLUMNS = [
  'Status',
  'Deploy',
  ['Commit', 'wide-only'],
  ['Warnings', 'wide-only'],
  ['By', 'wide-only'],
  ['Duration', 'end wide-only'],
  ['Created', 'end'],
] as const;

function DeployRow({ env, deploy }: { env: string; deploy: Deploy }) {
  const { id, status, repository, warnings, created_by, created_at, ended_at } = deploy;
  return (
    <tr className="linked">
      <td className="fit">
        <StatusBadge status={status} />
      </td>
      <td>
        <Link
          to="/$env/projects/$repository"
          params={{ env, repository }}
          search={{ tab: 'deploys', deploy: id }}
          className="rowlink"
        >
          <ShortId id={id} />
        </Link>
      </td>
      <td className="wide-only">
        <Commit {...deploy} />
      </td>
      <td className="wide-only">
        {warnings.length === 0 ? null : <Badge tone="warn">{plural(warnings.length, 'warning')}</Badge>}
      </td>
      <td className="soft wide-only">{created_by === null ? '–' : <Name>{created_by}</Name>}</td>
      <td className="end wide-only">
        <Elapsed started_at={created_at} ended_at={ended_at} />
      </td>
      <td className="end soft">
        <Time at={created_at} />
      </td>
    </tr>
  );
}

/** The deploys of the project, newest first. */
export function DeploysTab({ env, repository }: { env: string; repository: string }) {
  const query = useInfiniteQuery(deploysQuery(env, repository));
  const { data, error, refetch } = query;
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />;
  const deploys = data.pages.flatMap(({ items }) => items);
  if (deploys.length === 0)
    return (
      <Empty icon="projects" title="No deploys yet" command={svcCommand('deploy', '.', { env, repo: repository })}>
        A deploy checks the project and stores a version of it.
      </Empty>
    );
  return (
    <>
      <DataTable columns={COLUMNS}>
        {deploys.map((deploy) => (
          <DeployRow key={deploy.id} env={env} deploy={deploy} />
        ))}
      </DataTable>
      <LoadMore query={query} />
    </>
  );
}
