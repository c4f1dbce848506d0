import type { DuckDBConnection } from '@duckdb/node-api';
import type { Suite } from './data.ts';

export type Cell = string | number | boolean | null;

/** Sums of floating-point numbers depend on the order of the rows in their last digits. */
function isSame(ours: Cell, theirs: Cell): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  const [a, b] = [String(ours).trimEnd(), String(theirs).trimEnd()];
  if (a === b) return true;
  const [x, y] = [Number(a), Number(b)];
  return a !== '' && b !== '' && Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
}

/** Ties in an ORDER BY may have any order. */
const sorted = (rows: Cell[][]): Cell[][] =>
  rows.toSorted((a, b) => (JSON.stringify(comparable(a)) < JSON.stringify(comparable(b)) ? -1 : 1));
const comparable = (row: Cell[]): (string | null)[] =>
  row.map((cell) => {
    if (cell === null) return null;
    const number = Number(cell);
    return String(cell).trim() === '' || Number.isNaN(number) ? String(cell).trimEnd() : number.toPrecision(9);
  });

/** Null, or how the rows differ. */
export function difference(ours: Cell[][], theirs: Cell[][]): string | null {
  if (ours.length !== theirs.length) return `${ours.length} rows instead of ${theirs.length}`;
  const [left, right] = [sorted(ours), sorted(theirs)];
  for (const [i, row] of left.entries()) {
    const other = right[i]!;
    const isEqual = row.length === other.length && row.every((cell, j) => isSame(cell, other[j]!));
    if (!isEqual) return `${JSON.stringify(row)} instead of ${JSON.stringify(other)}`;
  }
  return null;
}

export async function bareRows(duckdb: DuckDBConnection, sql: string): Promise<Cell[][]> {
  return (await duckdb.runAndReadAll(sql)).getRowsJson() as Cell[][];
}

/** Compares suites as the command names them, `[SCALE] [SUITE…]` (default: 1 tpch tpcds); the process fails if a query differs. */
export async function compareSuites(compare: (suite: Suite, scale: number) => Promise<number>): Promise<void> {
  const [scale = '1', ...named] = process.argv.slice(2);
  const suites = (named.length === 0 ? ['tpch', 'tpcds'] : named) as Suite[];
  let differ = 0;
  for (const suite of suites) differ += await compare(suite, Number(scale));
  process.exitCode = differ === 0 ? 0 : 1;
}
