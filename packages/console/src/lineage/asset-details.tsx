import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { healthQuery } from '../catalog/queries.ts';
import { tableTarget } from '../catalog/table-target.ts';
import { Badge } from '../design/badge.tsx';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { Neighbors } from '../graph/dependency-list.tsx';
import type { Graph, GraphNode } from '../graph/graph.ts';
import { count } from '../text/numbers.ts';
import type { Asset } from './asset-graph.ts';

/** The pages about a table. */
export function TableLinks({ env, name, hasLineage }: { env: string; name: string; hasLineage: boolean }) {
  const { params, ...target } = tableTarget(env, name);
  return (
    <div className="row">
      <Link {...target} params={params} className="button small">
        Table
      </Link>
      {hasLineage ? (
        <Link to="/$env/lineage/$namespace/$table" params={params} search={{}} className="button small">
          Lineage of this table
        </Link>
      ) : null}
    </div>
  );
}

/** How fresh the table is. It may not be built yet, or not be readable. */
function Freshness({ env, name }: { env: string; name: string }) {
  const { data, error } = useQuery({ ...healthQuery(env, name), meta: { quiet: true } });
  if (error !== null)
    return (
      <p className="soft">
        <Name>{error.message}</Name>
      </p>
    );
  const written = data?.last_write_at;
  const facts: [string, ReactNode][] = [
    ['Last write', written == null ? data === undefined ? '…' : 'never' : <Time key="written" at={written} />],
    ['Rows', count(data?.row_count)],
  ];
  return <Facts facts={facts} />;
}

interface AssetDetailsProps {
  env: string;
  graph: Graph;
  node: GraphNode;
  /** Undefined for a table that no asset builds. */
  asset: Asset | undefined;
  hrefOf: (id: string) => string;
  onSelect: (id: string) => void;
}

/** The selected asset: what it is, how fresh its table is, and what is next to it. */
export function AssetDetails({ env, graph, node, asset, hrefOf, onSelect }: AssetDetailsProps) {
  return (
    <>
      <div className="stack tight">
        <h2>
          <Name>{node.label}</Name>
        </h2>
        <div className="row">
          <Badge>{asset?.kind ?? 'not an asset'}</Badge>
          {asset?.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </div>
      </div>
      {asset?.description ? (
        <p className="soft">
          <Name>{asset.description}</Name>
        </p>
      ) : null}
      <TableLinks env={env} name={node.label} hasLineage />
      {asset?.kind === 'view' ? null : <Freshness env={env} name={node.label} />}
      {asset === undefined ? null : (
        <div className="stack tight">
          <h3>Repository</h3>
          <div>
            <Link
              to="/$env/runs"
              params={{ env }}
              search={{ view: 'list', repository: asset.repository }}
              className="link"
            >
              Runs of <Name>{asset.repository}</Name>
            </Link>
          </div>
        </div>
      )}
      <Neighbors graph={graph} id={node.id} hrefOf={hrefOf} onSelect={onSelect} />
    </>
  );
}
