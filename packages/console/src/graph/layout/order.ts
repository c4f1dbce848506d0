/** Columns of cells, and the edges between neighboring columns. */
export interface Columns {
  /** The cells of each column, from top to bottom. */
  readonly columns: readonly (readonly number[])[];
  /** The neighbors of each cell in the column to its left, and to its right. */
  readonly left: readonly (readonly number[])[];
  readonly right: readonly (readonly number[])[];
}

const SWEEPS = 12;

/**
 * Sorts the cells of each column so that few edges cross: each cell moves to the mean position of its neighbors, in sweeps from left to
 * right and back. The best order that was seen is returned.
 */
export function withFewCrossings({ columns, left, right }: Columns): number[][] {
  let current = columns.map((column) => [...column]);
  let best = current;
  let fewest = crossings(current, right);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const isForward = sweep % 2 === 0;
    current = swept(current, isForward ? left : right, isForward);
    const found = crossings(current, right);
    if (found < fewest) {
      fewest = found;
      best = current;
    }
  }
  return best;
}

function swept(columns: readonly (readonly number[])[], neighbors: Columns['left'], isForward: boolean): number[][] {
  const sorted = columns.map((column) => [...column]);
  const position = new Int32Array(neighbors.length);
  const wanted = new Float64Array(neighbors.length);
  for (const column of isForward ? sorted : sorted.toReversed()) {
    for (const [index, cell] of column.entries()) {
      const others = neighbors[cell] ?? [];
      let sum = 0;
      for (const other of others) sum += position[other] ?? 0;
      wanted[cell] = others.length === 0 ? index : sum / others.length;
    }
    column.sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
    for (const [index, cell] of column.entries()) position[cell] = index;
  }
  return sorted;
}

/** The number of pairs of edges that cross. */
export function crossings(columns: readonly (readonly number[])[], right: Columns['right']): number {
  const position = new Int32Array(right.length);
  let total = 0;
  for (const [index, column] of columns.entries()) {
    const next = columns[index + 1] ?? [];
    for (const [at, cell] of next.entries()) position[cell] = at;
    const ends = column.map((cell) => (right[cell] ?? []).map((other) => position[other] ?? 0));
    total += crossingsOf(ends, next.length);
  }
  return total;
}

/** The same between two columns, by the ends of the edges of each cell: an edge crosses those from above that end below it. */
function crossingsOf(ends: readonly (readonly number[])[], length: number): number {
  // A binary indexed tree of the ends so far.
  const counts = new Uint32Array(length + 1);
  let total = 0;
  let seen = 0;
  for (const cell of ends) {
    for (const end of cell) {
      total += seen;
      for (let at = end + 1; at > 0; at -= at & -at) total -= counts[at] ?? 0;
    }
    for (const end of cell) for (let at = end + 1; at <= length; at += at & -at) counts[at] = (counts[at] ?? 0) + 1;
    seen += cell.length;
  }
  return total;
}
