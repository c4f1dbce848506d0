import type { ProjectVersionSummary } from '@svc/sdk/browser';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../design/badge.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Icon } from '../design/icons.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svcCommand } from '../text/commands.ts';
import { count } from '../text/numbers.ts';
import { Commit, ShortId } from './commit.tsx';
import { deploymentsQuery, versionsQuery } from './queries.ts';
import { RollbackDialog } from './rollback-dialog.tsx';

const COLUMNS = [
  'Version',
  ['Commit', 'wide-only'],
  ['Assets', 'end wide-only'],
  ['Jobs', 'end wide-only'],
  ['Created', 'end'],
  ACTIONS,
] as const;

interface VersionRowProps {
  env: string;
  version: ProjectVersionSummary;
  /** The id of the active version. */
  active: string | undefined;
  onRollback: (() => void) | null;
}

function VersionRow({ env, version, active: current, onRollback }: VersionRowProps) {
  const { repository, id, active, asset_count, jobs, created_at } = version;
  return (
    <tr>
      <td>
        <span className="row">
          <ShortId id={id} />
          {active ? <Badge tone="good">active</Badge> : null}
        </span>
      </td>
      <td className="wide-only">
        <Commit {...version} />
      </td>
      <td className="end wide-only">{count(asset_count)}</td>
      <td className="end wide-only">{count(jobs.length)}</td>
      <td className="end soft">
        <Time at={created_at} />
      </td>
      <td className="fit">
        <span className="row nested">
          <Link
            to="/$env/projects/$repository"
            params={{ env, repository }}
            search={{ compare: id, against: active ? undefined : current }}
            className="button small"
            aria-label={`Compare version ${id.slice(-8)} with the ${active || current === undefined ? 'one before' : 'active one'}`}
          >
            Compare
          </Link>
          {onRollback === null ? null : (
            <button
              type="button"
              className="button small"
              aria-label={`Roll back to version ${id.slice(-8)}`}
              onClick={onRollback}
            >
              <Icon name="undo" />
              <span className="wide-only">Roll back</span>
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

/** The versions of the project, newest first. */
export function VersionsTab({ env, repository }: { env: string; repository: string }) {
  const query = useInfiniteQuery(versionsQuery(env, repository));
  const [target, setTarget] = useState<ProjectVersionSummary | null>(null);
  const { data, error, refetch } = query;
  const { data: deployments = [] } = useQuery(deploymentsQuery(env));
  const active = deployments.find((each) => each.repository === repository)?.project_version_id;
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const versions = data.pages.flatMap(({ items }) => items);
  if (versions.length === 0)
    return (
      <Empty icon="projects" title="No versions yet" command={svcCommand('deploy', '.', { env, repo: repository })}>
        Each successful deploy stores a version, which a rollback can activate again.
      </Empty>
    );
  return (
    <>
      <DataTable columns={COLUMNS}>
        {versions.map((version) => (
          <VersionRow
            key={version.id}
            env={env}
            version={version}
            active={active}
            onRollback={active === undefined || version.active ? null : () => setTarget(version)}
          />
        ))}
      </DataTable>
      <LoadMore query={query} />
      {target === null || active === undefined ? null : (
        <RollbackDialog
          env={env}
          repository={repository}
          active={active}
          target={target}
          onClose={() => setTarget(null)}
        />
      )}
    </>
  );
}
