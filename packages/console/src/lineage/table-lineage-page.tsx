import type { TableLineage } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { Name } from '../design/name.tsx';
import { Options } from '../design/options.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { GraphView } from '../graph/graph-view.tsx';
import { useHref } from '../graph/use-href.ts';
import { svcCommand } from '../text/commands.ts';
import { plural } from '../text/numbers.ts';
import { TableLinks } from './asset-details.tsx';
import { nameKey } from './asset-graph.ts';
import { Connections } from './connections.tsx';
import { type LineageOptions, lineageQuery } from './queries.ts';
import { connectionsOf, tableGraph } from './table-graph.ts';
import './lineage.css';

const DIRECTIONS = { both: 'Both directions', upstream: 'Upstream only', downstream: 'Downstream only' } as const;
const DEPTHS = [1, 2, 3, 5, 10, 50];
const DEFAULT_DEPTH = 10;

/** The direction and depth that the address has; the defaults are left out. */
function optionsOf({
  direction,
  depth,
}: {
  direction?: string | undefined;
  depth?: string | undefined;
}): LineageOptions {
  const steps = DEPTHS.find((each) => each !== DEFAULT_DEPTH && String(each) === depth);
  return {
    ...(direction === 'upstream' || direction === 'downstream' ? { direction } : {}),
    ...(steps === undefined ? {} : { depth: steps }),
  };
}

interface ControlsProps {
  options: LineageOptions;
  onChange: (changed: { direction?: string | undefined; depth?: string | undefined }) => void;
}

function Controls({ options, onChange }: ControlsProps) {
  return (
    <>
      <select
        className="select"
        aria-label="Direction"
        value={options.direction ?? 'both'}
        onChange={({ target }) => onChange({ direction: target.value === 'both' ? undefined : target.value })}
      >
        <Options of={Object.entries(DIRECTIONS)} />
      </select>
      <select
        className="select"
        aria-label="Depth"
        value={options.depth ?? DEFAULT_DEPTH}
        onChange={({ target }) =>
          onChange({ depth: target.value === String(DEFAULT_DEPTH) ? undefined : target.value })
        }
      >
        <Options of={DEPTHS.map((depth) => [String(depth), plural(depth, 'step')])} />
      </select>
    </>
  );
}

function Loaded({ env, lineage, options }: { env: string; lineage: TableLineage; options: LineageOptions }) {
  const { namespace, table } = useParams({ from: '/signed-in/$env/lineage/$namespace/$table' });
  const { asset, q = '', direction, depth } = useSearch({ from: '/signed-in/$env/lineage/$namespace/$table' });
  const navigate = useNavigate({ from: '/$env/lineage/$namespace/$table' });
  const href = useHref();
  const graph = useMemo(() => tableGraph(lineage), [lineage]);
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  const selected = nodes.get(nameKey(asset ?? lineage.table)) ?? nodes.get(nameKey(lineage.table));
  const change = (changed: {
    asset?: string | undefined;
    direction?: string | undefined;
    depth?: string | undefined;
  }) => void navigate({ search: (search) => ({ ...search, ...changed }) });
  const find = useCallback(
    (text: string) =>
      void navigate({ search: (search) => ({ ...search, q: text === '' ? undefined : text }), replace: true }),
    [navigate],
  );
  const hrefOf = useCallback(
    (id: string) =>
      href({
        to: '/$env/lineage/$namespace/$table',
        params: { env, namespace, table },
        search: { direction, depth, asset: nodes.get(id)?.label },
      }),
    [href, env, namespace, table, direction, depth, nodes],
  );
  const select = (id: string | undefined) => change({ asset: id === undefined ? undefined : nodes.get(id)?.label });
  const { inputs, outputs } = connectionsOf(lineage, selected?.id ?? '');
  const shared = { env, hrefOf, onSelect: select };
  return (
    <>
      {lineage.truncated ? (
        <p className="toolbar soft">There is more: choose more steps, or start at another table.</p>
      ) : null}
      <GraphView
        label={`Lineage of ${lineage.table}`}
        graph={graph}
        selected={selected?.id}
        onSelect={select}
        hrefOf={hrefOf}
        find={q}
        onFind={find}
        fileName={`lineage-${lineage.table}`}
        controls={<Controls options={options} onChange={change} />}
      >
        {selected === undefined ? null : (
          <>
            <h2>
              <Name>{selected.label}</Name>
            </h2>
            <TableLinks env={env} name={selected.label} hasLineage={selected.id !== nameKey(lineage.table)} />
            <Connections
              {...shared}
              title="Built from"
              connections={inputs}
              otherOf={({ input }) => nodes.get(nameKey(input))}
            />
            <Connections
              {...shared}
              title="Used by"
              connections={outputs}
              otherOf={({ output }) => nodes.get(nameKey(output))}
            />
          </>
        )}
      </GraphView>
    </>
  );
}

/** The tables that a table is built from, and those that are built from it. */
export function TableLineagePage() {
  const { env, namespace, table } = useParams({ from: '/signed-in/$env/lineage/$namespace/$table' });
  const search = useSearch({ from: '/signed-in/$env/lineage/$namespace/$table' });
  const name = `${namespace}.${table}`;
  const options = optionsOf(search);
  const { data, error, refetch } = useQuery({
    ...lineageQuery(env, name, options),
    placeholderData: (previous) => (previous?.table === name ? previous : undefined),
  });
  useTitle(`Lineage of ${name}`, env);
  const { direction, depth } = options;
  return (
    <div className="page">
      <PageHeader
        crumbs={[
          <Link key="lineage" to="/$env/lineage" params={{ env }} search={{}}>
            Lineage
          </Link>,
          <Name key="namespace">{namespace}</Name>,
        ]}
        title={<Name>{table}</Name>}
        command={svcCommand('lineage', name, { env, direction, depth: depth?.toString() })}
      />
      <section className="card" aria-label="Lineage">
        {error !== null ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <Loading label="Loading the lineage" />
        ) : (
          <Loaded key={name} env={env} lineage={data} options={options} />
        )}
      </section>
    </div>
  );
}
