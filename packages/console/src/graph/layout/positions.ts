import type { Columns } from './order.ts';

const SWEEPS = 8;

/**
 * The center of each cell in its column: as close to the mean of its neighbors as the order and the heights allow.
 *
 * @param heights of the cells with the gap below them
 */
export function centersOf({ columns, left, right }: Columns, heights: readonly number[]): Float64Array {
  const centers = new Float64Array(heights.length);
  for (const column of columns) {
    let y = 0;
    for (const cell of column) {
      const height = heights[cell] ?? 0;
      centers[cell] = y + height / 2;
      y += height;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    // The last sweeps look at both sides, so that neither is favored.
    const isLast = sweep >= SWEEPS - 2;
    for (const column of isForward ? columns : columns.toReversed()) {
      const wanted = column.map((cell) => {
        const sides = isLast ? [left[cell], right[cell]] : [isForward ? left[cell] : right[cell]];
        return meanCenter(centers, sides) ?? centers[cell] ?? 0;
      });
      const placed = spread(
        wanted,
        column.map((cell) => heights[cell] ?? 0),
      );
      for (const [index, cell] of column.entries()) centers[cell] = placed[index] ?? 0;
    }
  }
  return centers;
}

function meanCenter(centers: Float64Array, sides: readonly (readonly number[] | undefined)[]): number | null {
  let sum = 0;
  let count = 0;
  for (const others of sides)
    for (const other of others ?? []) {
      sum += centers[other] ?? 0;
      count++;
    }
  return count === 0 ? null : sum / count;
}

/**
 * Positions in the same order that don't overlap and are as close to the wanted ones as possible: the least squares, by pooling
 * neighbors that would overlap.
 */
export function spread(wanted: readonly number[], heights: readonly number[]): number[] {
  const offsets: number[] = [];
  const pools: { sum: number; size: number }[] = [];
  let offset = 0;
  for (const [index, center] of wanted.entries()) {
    if (index > 0) offset += ((heights[index - 1] ?? 0) + (heights[index] ?? 0)) / 2;
    offsets.push(offset);
    let pool = { sum: center - offset, size: 1 };
    for (let above = pools.at(-1); above !== undefined && meanOf(above) > meanOf(pool); above = pools.at(-1)) {
      pool = { sum: above.sum + pool.sum, size: above.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  }
  const bases = pools.flatMap((pool) => new Array<number>(pool.size).fill(meanOf(pool)));
  return offsets.map((value, index) => value + (bases[index] ?? 0));
}

const meanOf = ({ sum, size }: { sum: number; size: number }): number => sum / size;
