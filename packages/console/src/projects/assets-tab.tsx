import type { ProjectVersion } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { tableTarget } from '../catalog/table-target.ts';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { useShown } from '../design/use-shown.ts';
import { plural } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { versionQuery } from './queries.ts';

type Asset = ProjectVersion['assets'][number];

function AssetRow({ env, asset }: { env: string; asset: Asset }) {
  const { name, kind, language, description, depends_on, tags } = asset;
  return (
    <tr className="linked">
      <td>
        <Link {...tableTarget(env, name)} className="rowlink">
          <Name>{name}</Name>
        </Link>
        {description === null ? null : (
          <p className="soft">
            <Name>{description}</Name>
          </p>
        )}
      </td>
      <td className="fit">
        <Badge>{kind}</Badge>
      </td>
      <td className="soft wide-only">{language}</td>
      <td className="soft wide-only">
        <Name>{depends_on.join(', ')}</Name>
      </td>
      <td className="wide-only">
        <span className="row">
          {tags.map((tag) => (
            <Badge key={tag}>{visible(tag)}</Badge>
          ))}
        </span>
      </td>
    </tr>
  );
}

const COLUMNS = [
  'Asset',
  'Kind',
  ['Language', 'wide-only'],
  ['Depends on', 'wide-only'],
  ['Tags', 'wide-only'],
] as const;

function AssetTable({ env, assets }: { env: string; assets: readonly Asset[] }) {
  const { shown, more } = useShown(assets);
  return (
    <>
      <DataTable columns={COLUMNS}>
        {shown.map((asset) => (
          <AssetRow key={asset.name} env={env} asset={asset} />
        ))}
      </DataTable>
      <LoadMore query={more} />
    </>
  );
}

function Assets({ env, version }: { env: string; version: ProjectVersion }) {
  const { q = '' } = useSearch({ from: '/signed-in/$env/projects/$repository' });
  const { repository } = useParams({ from: '/signed-in/$env/projects/$repository' });
  const navigate = useNavigate({ from: '/$env/projects/$repository' });
  const search = useCallback(
    (text: string) =>
      void navigate({
        params: { env, repository },
        search: { tab: 'assets', q: text === '' ? undefined : text },
        replace: true,
      }),
    [navigate, env, repository],
  );
  const wanted = q.trim().toLowerCase();
  const assets = version.assets.filter(({ name, description, tags }) =>
    [name, description ?? '', ...tags].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <div className="row toolbar">
        <SearchBox label="Search assets" value={q} onChange={search} />
        <span className="soft" role="status">
          {plural(assets.length, 'asset')}
        </span>
      </div>
      {assets.length === 0 ? (
        <Empty icon="table" title={version.assets.length === 0 ? 'No assets' : 'No asset matches'} />
      ) : (
        <AssetTable key={q} env={env} assets={assets} />
      )}
    </>
  );
}

/** The assets of the active version. */
export function AssetsTab({ env, version }: { env: string; version: string | undefined }) {
  if (version === undefined) return <Empty icon="table" title="No version is active" />;
  return <VersionAssets key={version} env={env} version={version} />;
}

function VersionAssets({ env, version }: { env: string; version: string }) {
  const { data, error, refetch } = useQuery(versionQuery(env, version));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  return <Assets env={env} version={data} />;
}
