import { type Part, positionPart } from './part.ts';
import { componentsOf, type Links, ranksOf, withoutCycles } from './ranks.ts';
import { columnX, NODE_HEIGHT, NODE_WIDTH, PART_GAP, type Point, ROW_GAP } from './sizes.ts';

export { NODE_HEIGHT, NODE_WIDTH, type Point } from './sizes.ts';

/** Where the nodes are (their top left corners), and the points of each edge, from one side of a column to the next. */
export interface Layout {
  readonly nodes: readonly Point[];
  readonly edges: readonly (readonly Point[])[];
  readonly width: number;
  readonly height: number;
}

/**
 * Places a graph in columns: every node is right of those that it depends on. This is the method of Sugiyama: ranks, an order with few
 * crossings, then positions. No edge may lead from a node to itself.
 */
export function layoutOf(links: Links): Layout {
  const acyclic = withoutCycles(links);
  const ranks = ranksOf(acyclic);
  const components = componentsOf(acyclic);
  const nodes: Point[] = new Array(links.count);
  const edges: Point[][] = new Array(links.edges.length);
  let top = 0;
  let columns = 1;
  for (const part of partsOf(acyclic, components)) {
    const placed = positionPart(part, ranks);
    const moved = ({ x, y }: Point): Point => ({ x, y: y + top });
    for (const [node, point] of placed.nodes) nodes[node] = moved(point);
    for (const [edge, points] of placed.edges) edges[edge] = points.map(moved);
    columns = Math.max(columns, placed.columns);
    top += placed.height + PART_GAP;
  }
  // Edges that were turned around are drawn in their own direction.
  for (const [index, [from]] of links.edges.entries()) if (acyclic.edges[index]?.[0] !== from) edges[index]?.reverse();
  stackSingles(
    components.flatMap((component) => (component.length === 1 ? component : [])),
    nodes,
    top,
    columns,
  );
  const width = Math.max(0, ...nodes.map(({ x }) => x + NODE_WIDTH));
  const height = Math.max(0, ...nodes.map(({ y }) => y + NODE_HEIGHT));
  return { nodes, edges, width, height };
}

/** The connected parts with more than one node, and their edges. */
function partsOf({ count, edges }: Links, components: readonly (readonly number[])[]): Part[] {
  const partOf = new Array<number>(count).fill(0);
  for (const [part, members] of components.entries()) for (const node of members) partOf[node] = part;
  const parts = components.map((members) => ({ nodes: members, edges: new Map<number, readonly [number, number]>() }));
  for (const [index, edge] of edges.entries()) parts[partOf[edge[0]] ?? 0]?.edges.set(index, edge);
  return parts.filter(({ nodes }) => nodes.length > 1);
}

/** Places nodes without edges in rows, below the others and not wider than they are, unless that makes the graph very high. */
function stackSingles(singles: readonly number[], nodes: Point[], top: number, columns: number): void {
  const perRow = Math.max(columns, Math.ceil(Math.sqrt(singles.length / 4)));
  for (const [index, node] of singles.entries())
    nodes[node] = { x: columnX(index % perRow), y: top + Math.floor(index / perRow) * (NODE_HEIGHT + ROW_GAP) };
}
