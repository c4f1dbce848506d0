import type { ProjectVersionSummary } from '@svc/sdk/browser';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { localInput } from '../text/times.ts';
import { Changes } from './changes.tsx';
import { comparisonQuery, versionsQuery } from './queries.ts';
import { SourceDiffs } from './source-diff.tsx';

interface ComparisonProps {
  env: string;
  id: string;
  /** Undefined: the version before. */
  against: string | undefined;
}

/** What differs between two versions. */
function Differences({ env, id, against }: ComparisonProps) {
  const { data, error } = useQuery(comparisonQuery(env, id, against));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Loading rows={3} label="Comparing the versions" />;
  return (
    <>
      {data.against === null ? <p className="soft">This is the first version of the project.</p> : null}
      <section className="stack tight" aria-label="Changes">
        <h2>Changes</h2>
        <div className="card">
          <Changes changes={data} />
        </div>
      </section>
      <SourceDiffs changes={data} />
    </>
  );
}

interface VersionFieldProps {
  label: string;
  value: string;
  versions: readonly ProjectVersionSummary[];
  /** The choice of no version. */
  none?: string;
  onChange: (id: string) => void;
}

/** Chooses one of the versions. One that isn't loaded has its id. */
function VersionField({ label, value, versions, none, onChange }: VersionFieldProps) {
  const id = useId();
  const isListed = value === '' || versions.some((version) => version.id === value);
  return (
    <span className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="select" value={value} onChange={(event) => onChange(event.target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {isListed ? null : <option value={value}>…{value.slice(-8)}</option>}
        {versions.map(({ id: version, created_at, active }) => (
          <option key={version} value={version}>
            …{version.slice(-8)}, {localInput(new Date(created_at)).replace('T', ' ')}
            {active ? ', active' : ''}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Compares two versions of the project, which the address names. */
export function Comparison({ env, repository, id, against }: ComparisonProps & { repository: string }) {
  const { data, error, refetch } = useInfiniteQuery(versionsQuery(env, repository));
  const navigate = useNavigate({ from: '/$env/projects/$repository' });
  const show = (compare: string, other: string | undefined) =>
    void navigate({ params: { env, repository }, search: { compare, against: other }, replace: true });
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const versions = data.pages.flatMap(({ items }) => items);
  return (
    <div className="stack padded">
      <div className="row spread">
        <div className="row">
          <VersionField label="Version" value={id} versions={versions} onChange={(other) => show(other, against)} />
          <VersionField
            label="Compared with"
            value={against ?? ''}
            versions={versions}
            none="the version before"
            onChange={(other) => show(id, other === '' ? undefined : other)}
          />
        </div>
        <Link to="/$env/projects/$repository" params={{ env, repository }} search={{}} className="link">
          All versions
        </Link>
      </div>
      <Differences key={`${id} ${against}`} env={env} id={id} against={against} />
    </div>
  );
}
