import { type Columns, withFewCrossings } from './order.ts';
import { centersOf } from './positions.ts';
import { columnX, NODE_HEIGHT, NODE_WIDTH, PASS_HEIGHT, type Point, ROW_GAP } from './sizes.ts';

/** A connected part of a graph; `edges` are those of the whole graph by their index, from the lower rank to the higher one. */
export interface Part {
  readonly nodes: readonly number[];
  readonly edges: ReadonlyMap<number, readonly [from: number, to: number]>;
}

export interface PositionedPart {
  /** The top left corners. */
  readonly nodes: ReadonlyMap<number, Point>;
  /** The points of each edge: the right side of a column, the left side of the next one, and so on. */
  readonly edges: ReadonlyMap<number, readonly Point[]>;
  readonly columns: number;
  readonly height: number;
}

interface Cells extends Columns {
  /** The column of each cell. */
  readonly rank: readonly number[];
  /** The cells of each edge, from its first node to its last. */
  readonly chains: ReadonlyMap<number, readonly number[]>;
}

/** Places the nodes and edges of a connected part. */
export function positionPart(part: Part, ranks: readonly number[]): PositionedPart {
  const cells = cellsOf(part, ranks);
  const heights = cells.rank.map((_, cell) => (cell < part.nodes.length ? NODE_HEIGHT + ROW_GAP : PASS_HEIGHT));
  const centers = centersOf({ ...cells, columns: withFewCrossings(cells) }, heights);
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const [cell, height] of heights.entries()) {
    top = Math.min(top, (centers[cell] ?? 0) - height / 2);
    bottom = Math.max(bottom, (centers[cell] ?? 0) + height / 2);
  }
  const y = (cell: number) => (centers[cell] ?? 0) - top - ROW_GAP / 2;
  const x = (cell: number) => columnX(cells.rank[cell] ?? 0);
  const nodes = new Map(part.nodes.map((node, cell) => [node, { x: x(cell), y: y(cell) - NODE_HEIGHT / 2 }]));
  const edges = new Map<number, Point[]>();
  for (const [edge, chain] of cells.chains) {
    const sides = chain.flatMap((cell) => [
      { x: x(cell), y: y(cell) },
      { x: x(cell) + NODE_WIDTH, y: y(cell) },
    ]);
    edges.set(edge, sides.slice(1, -1));
  }
  const height = bottom - top - ROW_GAP;
  return { nodes, edges, columns: cells.columns.length, height };
}

/** The nodes, and a cell in every column that an edge passes, so that edges lead from a column to the next one only. */
function cellsOf({ nodes, edges }: Part, ranks: readonly number[]): Cells {
  const cellOf = new Map(nodes.map((node, cell) => [node, cell]));
  const first = nodes.reduce((least, node) => Math.min(least, ranks[node] ?? 0), Number.POSITIVE_INFINITY);
  const rank = nodes.map((node) => (ranks[node] ?? 0) - first);
  const left: number[][] = nodes.map(() => []);
  const right: number[][] = nodes.map(() => []);
  const chains = new Map<number, number[]>();
  for (const [edge, [from, to]] of edges) {
    const [start, end] = [cellOf.get(from) ?? 0, cellOf.get(to) ?? 0];
    const chain = [start];
    for (let passed = (rank[start] ?? 0) + 1; passed < (rank[end] ?? 0); passed++) {
      chain.push(rank.push(passed) - 1);
      left.push([]);
      right.push([]);
    }
    chain.push(end);
    chains.set(edge, chain);
    for (const [index, cell] of chain.slice(1).entries()) {
      right[chain[index] ?? 0]?.push(cell);
      left[cell]?.push(chain[index] ?? 0);
    }
  }
  return { rank, left, right, chains, columns: firstOrder(rank, right) };
}

/** The columns in the order in which a walk along the edges meets the cells, which puts those together that belong together. */
function firstOrder(rank: readonly number[], right: readonly (readonly number[])[]): number[][] {
  const columns: number[][] = Array.from(
    { length: rank.reduce((highest, each) => Math.max(highest, each), 0) + 1 },
    () => [],
  );
  const seen = new Uint8Array(rank.length);
  // The last cell is the next one: one of the lowest rank.
  const stack = [...rank.keys()].sort((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0));
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (seen[cell] === 1) continue;
    seen[cell] = 1;
    columns[rank[cell] ?? 0]?.push(cell);
    stack.push(...(right[cell] ?? []).toReversed());
  }
  return columns;
}
