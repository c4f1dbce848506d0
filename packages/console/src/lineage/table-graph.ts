import type { TableLineage } from '@svc/sdk/browser';
import type { Graph } from '../graph/graph.ts';
import { nameKey, tableNode } from './asset-graph.ts';

export type Connection = TableLineage['edges'][number];

/** A table with those that it is built from, and those that are built from it. */
export function tableGraph({ table, kind, upstream, downstream, edges }: TableLineage): Graph {
  const tables = new Map([{ name: table, kind }, ...upstream, ...downstream].map((each) => [nameKey(each.name), each]));
  return {
    nodes: [...tables.values()].map((each) => tableNode(each.name, each.kind ?? 'not built', each.kind === null)),
    edges: edges.map(({ input, output }) => [nameKey(input), nameKey(output)]),
  };
}

/** The connections of a table: those to what it is built from, and those to what is built from it. */
export function connectionsOf(
  { edges }: Pick<TableLineage, 'edges'>,
  id: string,
): Record<'inputs' | 'outputs', Connection[]> {
  return {
    inputs: edges.filter(({ output }) => nameKey(output) === id),
    outputs: edges.filter(({ input }) => nameKey(input) === id),
  };
}
