// The rows of TPC-H and TPC-DS through the PostgreSQL endpoint against those of bare DuckDB on the same data files.
// `npm run bench tpc-postgres [SCALE] [SUITE…]` (default: 1 tpch tpcds). Aim: no query differs.
import type { DuckDBConnection } from '@duckdb/node-api';
import pg from 'pg';
import { freePort, newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import type { Suite } from '../tpc/data.ts';
import { ENVIRONMENT, LoadedSuite } from '../tpc/loaded.ts';

const [scale = '1', ...named] = process.argv.slice(2);
const suites = (named.length === 0 ? ['tpch', 'tpcds'] : named) as Suite[];

type Cell = string | number | boolean | null;

/** Values of every type as the texts that the endpoint sends. */
const AS_TEXTS = { getTypeParser: () => (value: string) => value };

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
function difference(ours: Cell[][], theirs: Cell[][]): string | null {
  if (ours.length !== theirs.length) return `${ours.length} rows instead of ${theirs.length}`;
  const [left, right] = [sorted(ours), sorted(theirs)];
  for (const [i, row] of left.entries()) {
    const other = right[i]!;
    const isEqual = row.length === other.length && row.every((cell, j) => isSame(cell, other[j]!));
    if (!isEqual) return `${JSON.stringify(row)} instead of ${JSON.stringify(other)}`;
  }
  return null;
}

async function bareRows(duckdb: DuckDBConnection, sql: string): Promise<Cell[][]> {
  return (await duckdb.runAndReadAll(sql)).getRowsJson() as Cell[][];
}

/** How many queries differ. */
async function compare(suite: Suite): Promise<number> {
  const home = newHome();
  const port = await freePort();
  const service = await startStandalone(home, { SVC_SQL__LISTEN: `127.0.0.1:${port}` });
  const options = { host: '127.0.0.1', port, user: 'admin', password: TOKEN, database: ENVIRONMENT };
  let [differ, ms] = [0, 0];
  try {
    const loaded = await LoadedSuite.load(suite, Number(scale), service);
    const client = new pg.Client({ ...options, types: AS_TEXTS });
    await client.connect();
    for (const [i, sql] of loaded.data.queries.entries()) {
      const text = await loaded.qualified(sql);
      const started = performance.now();
      const found = await client.query<Cell[]>({ text, rowMode: 'array' }).then(
        ({ rows }) => rows,
        (error: unknown) => String(error),
      );
      ms += performance.now() - started;
      const why = typeof found === 'string' ? found : difference(found, await bareRows(loaded.duckdb, sql));
      if (why === null) continue;
      differ += 1;
      console.log(`  ${suite} ${i + 1}: ${why}`);
    }
    console.log(
      `${suite}, scale factor ${scale}: ${differ} of ${loaded.data.queries.length} queries differ; ${ms.toFixed(0)} ms.`,
    );
    await client.end();
  } finally {
    await service.stop();
    removeHome(home);
  }
  return differ;
}

let differ = 0;
for (const suite of suites) differ += await compare(suite);
process.exitCode = differ === 0 ? 0 : 1;
