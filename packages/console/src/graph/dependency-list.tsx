import type { MouseEvent } from 'react';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { type Graph, type GraphNode, neighborsById } from './graph.ts';

interface DependencyListProps {
  graph: Graph;
  order: readonly number[];
  hrefOf: (id: string) => string;
  onSelect: (id: string) => void;
}

/** The names of nodes as links that select them. */
export function NodeLinks({
  nodes,
  hrefOf,
  onSelect,
}: Omit<DependencyListProps, 'graph' | 'order'> & { nodes: readonly GraphNode[] }) {
  const select = (event: MouseEvent, id: string) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onSelect(id);
  };
  if (nodes.length === 0) return <span className="soft">–</span>;
  return (
    <ul className="node-links">
      {nodes.map(({ id, label }) => (
        <li key={id}>
          <a className="link" href={hrefOf(id)} onClick={(event) => select(event, id)}>
            <Name>{label}</Name>
          </a>
        </li>
      ))}
    </ul>
  );
}

interface NeighborsProps extends Omit<DependencyListProps, 'order'> {
  /** Of the node. */
  id: string;
}

/** What a node depends on, and what depends on it. */
export function Neighbors({ graph, id, hrefOf, onSelect }: NeighborsProps) {
  const { inputs = [], outputs = [] } = neighborsById(graph).get(id) ?? {};
  return (
    <>
      <div className="stack tight">
        <h3>Depends on</h3>
        <NodeLinks nodes={inputs} hrefOf={hrefOf} onSelect={onSelect} />
      </div>
      <div className="stack tight">
        <h3>Needed by</h3>
        <NodeLinks nodes={outputs} hrefOf={hrefOf} onSelect={onSelect} />
      </div>
    </>
  );
}

/** The graph as a text: each node, what it depends on, and what depends on it. */
export function DependencyList({ graph, order, hrefOf, onSelect }: DependencyListProps) {
  const neighbors = neighborsById(graph);
  return (
    <DataTable columns={['Name', 'State', 'Depends on', 'Needed by']}>
      {order.map((index) => {
        const node = graph.nodes[index];
        if (node === undefined) return null;
        const { inputs = [], outputs = [] } = neighbors.get(node.id) ?? {};
        return (
          <tr key={node.id}>
            <td>
              <NodeLinks nodes={[node]} hrefOf={hrefOf} onSelect={onSelect} />
            </td>
            <td className="soft">
              <Name>{node.subtitle}</Name>
            </td>
            <td>
              <NodeLinks nodes={inputs} hrefOf={hrefOf} onSelect={onSelect} />
            </td>
            <td>
              <NodeLinks nodes={outputs} hrefOf={hrefOf} onSelect={onSelect} />
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}
