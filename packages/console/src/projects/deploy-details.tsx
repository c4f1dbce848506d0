import type { Deploy } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { Elapsed, StatusBadge } from '../runs/run-status.tsx';
import { plural } from '../text/numbers.ts';
import type { ProjectChanges } from './change-lines.ts';
import { Changes } from './changes.tsx';
import { Commit, ShortId } from './commit.tsx';
import { comparisonQuery, deployQuery } from './queries.ts';
import { SourceDiffs } from './source-diff.tsx';

function factsOf(deploy: Deploy): readonly (readonly [string, ReactNode])[] {
  const { ref, created_by, created_at, ended_at, project_version_id: version, package_indexes: indexes } = deploy;
  return [
    ['Version', version === null ? '–' : <ShortId key="version" id={version} />],
    ['Commit', <Commit key="commit" {...deploy} />],
    ['Ref', ref === null ? '–' : <Name key="ref">{ref}</Name>],
    ['By', created_by === null ? '–' : <Name key="by">{created_by}</Name>],
    ['Created', <Time key="created" at={created_at} />],
    ['Duration', <Elapsed key="duration" started_at={created_at} ended_at={ended_at} />],
    ...(indexes.length === 0 ? [] : [['Package indexes', <Name key="indexes">{indexes.join(', ')}</Name>] as const]),
  ];
}

/** Warnings of the deploy, which it keeps even if their cause is gone. */
function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <section className="notice warn" aria-label="Warnings">
      <h3>{plural(warnings.length, 'warning')}</h3>
      <ul className="stack tight">
        {warnings.map((warning, index) => (
          <li key={index}>
            <Name>{warning}</Name>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Diff({ changes, note }: { changes: ProjectChanges; note: string }) {
  return (
    <section className="stack tight" aria-label="Changes">
      <h2>Changes</h2>
      <p className="soft">{note}</p>
      <div className="card">
        <Changes changes={changes} />
      </div>
    </section>
  );
}

/** The changes of a deploy, as its record has them or, if it has none, compared with the version before. */
function VersionDiff({ env, deploy, version }: { env: string; deploy: Deploy; version: string }) {
  const { assets, jobs, previous_version_id: previous } = deploy;
  const isFirst = assets !== null && previous === null;
  const { data, error } = useQuery({ ...comparisonQuery(env, version, previous ?? undefined), enabled: !isFirst });
  if (isFirst) return <Diff changes={deploy} note="Nothing of this project was deployed before." />;
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Loading rows={3} label="Comparing the versions" />;
  const note =
    data.against === null
      ? 'This is the first version of the project.'
      : previous === data.against
        ? 'Compared with the version that was active.'
        : 'Compared with the version before.';
  return (
    <>
      <Diff changes={{ assets: assets ?? data.assets, jobs }} note={note} />
      <SourceDiffs changes={data} />
    </>
  );
}

function Difference({ env, deploy }: { env: string; deploy: Deploy }) {
  const { dry_run, project_version_id: version } = deploy;
  if (dry_run) return <Diff changes={deploy} note="This is what a deploy would change." />;
  return version === null ? null : <VersionDiff env={env} deploy={deploy} version={version} />;
}

/** A deploy: its result, what it warned of, and what it changed. */
export function DeployDetails({ env, repository, id }: { env: string; repository: string; id: string }) {
  const { data: deploy, error, refetch } = useQuery(deployQuery(env, id));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (deploy === undefined) return <Loading />;
  if (deploy.repository !== repository)
    return (
      <Navigate
        to="/$env/projects/$repository"
        params={{ env, repository: deploy.repository }}
        search={{ tab: 'deploys', deploy: id }}
        replace
      />
    );
  return (
    <div className="stack padded">
      <div className="row spread">
        <div className="row">
          <h2>
            Deploy <ShortId id={deploy.id} />
          </h2>
          <StatusBadge status={deploy.status} />
        </div>
        <Link to="/$env/projects/$repository" params={{ env, repository }} search={{ tab: 'deploys' }} className="link">
          All deploys
        </Link>
      </div>
      {deploy.error === null ? null : <ErrorNotice error={deploy.error} />}
      <Warnings warnings={deploy.warnings} />
      <Facts facts={factsOf(deploy)} />
      <Difference env={env} deploy={deploy} />
    </div>
  );
}
