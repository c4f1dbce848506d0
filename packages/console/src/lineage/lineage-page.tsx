import { Forbidden, type ProjectVersion } from '@svc/sdk/browser';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { Filter } from '../design/filter.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { GraphView } from '../graph/graph-view.tsx';
import { useHref } from '../graph/use-href.ts';
import { deploymentsQuery, versionQuery } from '../projects/queries.ts';
import { svcCommand } from '../text/commands.ts';
import { count } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { AssetDetails } from './asset-details.tsx';
import { assetGraph, assetsOf, nameKey } from './asset-graph.ts';

/** A graph of more nodes takes the browser too long. */
const MAX_NODES = 3000;

/** The active project versions of the environment. */
function useVersions(env: string) {
  const deployments = useQuery(deploymentsQuery(env));
  const versions = useQueries({
    queries: (deployments.data ?? []).map(({ project_version_id: id }) => versionQuery(env, id)),
    combine: (queries) => ({
      versions: queries.flatMap(({ data }) => data ?? []),
      error: queries.find(({ error }) => error !== null)?.error ?? null,
      isPending: queries.some(({ isPending }) => isPending),
    }),
  });
  return { ...versions, deployments };
}

function AssetGraph({ env, versions }: { env: string; versions: readonly ProjectVersion[] }) {
  const { asset, repository, q = '' } = useSearch({ from: '/signed-in/$env/lineage' });
  const navigate = useNavigate({ from: '/$env/lineage' });
  const href = useHref();
  const assets = useMemo(() => assetsOf(versions), [versions]);
  const graph = useMemo(() => assetGraph(assets, repository), [assets, repository]);
  const change = (changed: { asset?: string | undefined; repository?: string | undefined }) =>
    void navigate({ search: (search) => ({ ...search, ...changed }) });
  const find = useCallback(
    (text: string) =>
      void navigate({ search: (search) => ({ ...search, q: text === '' ? undefined : text }), replace: true }),
    [navigate],
  );
  const labels = useMemo(() => new Map(graph.nodes.map(({ id, label }) => [id, label])), [graph]);
  const hrefOf = useCallback(
    (id: string) => href({ to: '/$env/lineage', params: { env }, search: { asset: labels.get(id), repository } }),
    [href, env, labels, repository],
  );
  const select = (id: string | undefined) => change({ asset: id === undefined ? undefined : labels.get(id) });
  const node = asset === undefined ? undefined : graph.nodes.find(({ id }) => id === nameKey(asset));
  const filter = (
    <Filter
      label="Repository"
      value={repository}
      choices={versions.map((version) => [version.repository, visible(version.repository)])}
      onChange={(changed) => change({ repository: changed, asset: undefined })}
    />
  );
  if (graph.nodes.length === 0 || graph.nodes.length > MAX_NODES)
    return (
      <>
        <div className="row toolbar">{filter}</div>
        {graph.nodes.length === 0 ? (
          <Empty icon="lineage" title="No assets">
            The repository has no assets in this environment. Choose another one.
          </Empty>
        ) : (
          <Empty icon="lineage" title={`${count(graph.nodes.length)} assets are too many for one graph`}>
            Choose a repository, or open a table in the catalog and choose Lineage to see what is around it.
          </Empty>
        )}
      </>
    );
  return (
    <GraphView
      label="Graph of the assets"
      graph={graph}
      selected={node?.id}
      onSelect={select}
      hrefOf={hrefOf}
      find={q}
      onFind={find}
      fileName={`lineage-${env}`}
      controls={filter}
    >
      {node === undefined ? null : (
        <AssetDetails {...{ env, graph, node, hrefOf }} asset={assets.get(node.id)} onSelect={select} />
      )}
    </GraphView>
  );
}

function Content({ env }: { env: string }) {
  const { versions, error, isPending, deployments } = useVersions(env);
  if (deployments.error instanceof Forbidden)
    return (
      <Empty icon="lock" title="You can't see the assets of this environment">
        This page needs READ_ENVIRONMENT on the environment. You can still see the lineage of a table that you can read:
        open it in the{' '}
        <Link to="/$env/catalog" params={{ env }} search={{}} className="link">
          catalog
        </Link>{' '}
        and choose Lineage.
      </Empty>
    );
  if (deployments.error !== null) return <ErrorState error={deployments.error} retry={deployments.refetch} />;
  if (deployments.data === undefined || isPending) return <Loading label="Loading the assets" />;
  if (deployments.data.length === 0)
    return (
      <Empty icon="lineage" title="No projects are deployed here" command={svcCommand('deploy', '.', { env })}>
        The lineage shows how the assets of deployed projects depend on each other. Deploy the folder of a project to
        see its assets.
      </Empty>
    );
  return (
    <>
      {error === null ? null : (
        <div className="stack padded">
          <ErrorNotice error={error} />
        </div>
      )}
      <AssetGraph env={env} versions={versions} />
    </>
  );
}

/** The assets of all deployed projects, and how they depend on each other. */
export function LineagePage() {
  const { env } = useParams({ from: '/signed-in/$env/lineage' });
  const { asset } = useSearch({ from: '/signed-in/$env/lineage' });
  useTitle('Lineage', env);
  const command =
    asset === undefined ? svcCommand('deployments list', null, { env }) : svcCommand('lineage', asset, { env });
  return (
    <div className="page">
      <PageHeader title="Lineage" command={command} />
      <section className="card" aria-label="Lineage">
        <Content env={env} />
      </section>
    </div>
  );
}
