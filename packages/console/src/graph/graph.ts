import type { Tone } from '../design/badge.tsx';

export interface GraphNode {
  readonly id: string;
  /** The whole name. */
  readonly label: string;
  /** What is shown of it. */
  readonly title: string;
  /** The state or kind. */
  readonly subtitle: string;
  /** Shows the state as a dot. */
  readonly tone?: Tone;
  /** Whether it is only a neighbor of what the graph is about. */
  readonly isOutside?: boolean;
}

/** Nodes, and edges from a node to those that depend on it. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

/** The edges by the indexes of their nodes. Those from a node to itself, of unknown nodes and duplicates are left out. */
export function linksOf({ nodes, edges }: Graph): { count: number; edges: (readonly [from: number, to: number])[] } {
  const index = new Map(nodes.map(({ id }, at) => [id, at]));
  const known = new Map<string, readonly [number, number]>();
  for (const [from, to] of edges) {
    const [start, end] = [index.get(from), index.get(to)];
    if (start !== undefined && end !== undefined && start !== end) known.set(`${start} ${end}`, [start, end]);
  }
  return { count: nodes.length, edges: [...known.values()] };
}

/** The nodes from which edges lead to each node, and those to which its edges lead. */
export function neighborsById({ nodes, edges }: Graph): Map<string, { inputs: GraphNode[]; outputs: GraphNode[] }> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const neighbors = new Map(nodes.map(({ id }) => [id, { inputs: [] as GraphNode[], outputs: [] as GraphNode[] }]));
  for (const [from, to] of edges) {
    const [input, output] = [byId.get(from), byId.get(to)];
    if (input === undefined || output === undefined) continue;
    neighbors.get(to)?.inputs.push(input);
    neighbors.get(from)?.outputs.push(output);
  }
  return neighbors;
}

/** A node with everything that is up- and downstream of it. */
export function reachOf({ edges }: Pick<Graph, 'edges'>, id: string): Set<string> {
  const [next, previous] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const [from, to] of edges) {
    addTo(next, from, to);
    addTo(previous, to, from);
  }
  const reached = new Set([id]);
  for (const lists of [next, previous]) {
    const found = new Set([id]);
    for (const node of found) for (const other of lists.get(node) ?? []) found.add(other);
    for (const node of found) reached.add(node);
  }
  return reached;
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The ids of the nodes whose names contain every word of the text; null without a text. */
export function matchesOf({ nodes }: Pick<Graph, 'nodes'>, text: string): string[] | null {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return null;
  const isMatch = ({ label, subtitle }: GraphNode) => {
    const searched = `${label} ${subtitle}`.toLowerCase();
    return parts.every((part) => searched.includes(part));
  };
  return nodes.filter(isMatch).map(({ id }) => id);
}
