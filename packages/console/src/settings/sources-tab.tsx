import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Guarded } from '../access/guarded.tsx';
import { Command } from '../design/copy.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { svcCommand } from '../text/commands.ts';
import { packageIndexesQuery, repositoriesQuery } from './queries.ts';

const text = (value: string | null): ReactNode => (value === null ? '–' : <Name>{value}</Name>);

function Repositories() {
  const { data, error, refetch } = useQuery(repositoriesQuery);
  if (data === undefined) return error === null ? <Loading rows={3} /> : <ErrorState error={error} retry={refetch} />;
  if (data.length === 0)
    return (
      <Empty icon="folder" title="No repositories yet" command="svc repository add NAME --url URL">
        A repository has a project, which is deployed to environments.
      </Empty>
    );
  return (
    <DataTable columns={['Repository', 'URL', ['Default ref', 'wide-only'], ['Credential', 'wide-only']]}>
      {data.map(({ id, name, url, default_ref, credential_secret }) => (
        <tr key={id}>
          <td>
            <Name>{name}</Name>
          </td>
          <td className="mono">{url === null ? <span className="soft">local bundles</span> : <Name>{url}</Name>}</td>
          <td className="soft wide-only">{text(default_ref)}</td>
          <td className="soft wide-only">{text(credential_secret)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function PackageIndexes() {
  const { data, error, refetch } = useQuery(packageIndexesQuery);
  if (data === undefined) return error === null ? <Loading rows={3} /> : <ErrorState error={error} retry={refetch} />;
  if (data.length === 0)
    return (
      <Empty icon="download" title="No package indexes yet" command="svc index add NAME --url URL">
        Python packages of projects come from registered indexes.
      </Empty>
    );
  return (
    <DataTable columns={['Package index', 'URL', ['Credential', 'wide-only']]}>
      {data.map(({ id, name, url, credential_secret }) => (
        <tr key={id}>
          <td>
            <Name>{name}</Name>
          </td>
          <td className="mono">
            <Name>{url}</Name>
          </td>
          <td className="soft wide-only">{text(credential_secret)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

/** Where projects and their packages come from; both belong to the instance. */
export function SourcesTab() {
  return (
    <>
      <section className="stack" aria-label="Repositories">
        <div className="row spread">
          <h2>Repositories</h2>
          <Command>{svcCommand('repository list', null, {})}</Command>
        </div>
        <Guarded action="MANAGE_REPOSITORY" object={{}}>
          <div className="card">
            <Repositories />
          </div>
        </Guarded>
      </section>
      <section className="stack" aria-label="Package indexes">
        <div className="row spread">
          <h2>Package indexes</h2>
          <Command>{svcCommand('index list', null, {})}</Command>
        </div>
        <div className="card">
          <PackageIndexes />
        </div>
      </section>
    </>
  );
}
