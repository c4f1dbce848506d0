// The queries of TPC-H or TPC-DS one after the other over HTTP, with their rows, against bare DuckDB on the same data files and
// Trino on the same tables.
// `npm run bench tpc [SUITE] [SCALE] [ROUNDS]` (default: tpch 1 3). Aims at scale factor 1: tpch ≤ 1.10 times, tpcds ≤ 1.20 times.
import type { DuckDBConnection } from '@duckdb/node-api';
import { median } from '../service/measure.ts';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import type { Suite } from './data.ts';
import { ENVIRONMENT, LoadedSuite } from './loaded.ts';
import { openTrino } from './trino.ts';

const suite = (process.argv[2] ?? 'tpch') as Suite;
const SCALE = Number(process.argv[3] ?? 1);
const ROUNDS = Number(process.argv[4] ?? 3);
const AIM = { tpch: 1.1, tpcds: 1.2 }[suite];

const home = newHome();
const service = await startStandalone(home);
const loaded = await LoadedSuite.load(suite, SCALE, service);
const { data, duckdb } = loaded;

async function overHttp(sql: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/environments/${ENVIRONMENT}/queries?wait=60`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ sql, cache: false }),
  });
  const finished = (await response.json()) as { status?: string };
  if (finished.status !== 'SUCCEEDED') throw new Error(`${sql}\n${JSON.stringify(finished)}`);
}

const bare = async (connection: DuckDBConnection, sql: string) => {
  (await connection.runAndReadAll(sql)).getRowsJson();
};

const queries = await Promise.all(data.queries.map(async (sql) => ({ sql, ours: await loaded.qualified(sql) })));
type Run = (query: (typeof queries)[number]) => Promise<void>;
type Name = 'svc' | 'DuckDB' | 'Trino';
/** Milliseconds by query and round; NaN for a statement in another dialect than the peer's. */
const times = queries.map(() => ({ svc: [], DuckDB: [], Trino: [] }) as Record<Name, number[]>);

/** Runs each query on one contestant after the other, in several rounds after one that isn't measured. */
async function measure(contestants: Partial<Record<Name, Run>>): Promise<void> {
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, query] of queries.entries()) {
      for (const [name, run] of Object.entries(contestants) as [Name, Run][]) {
        const started = performance.now();
        const isDone = await run(query).then(
          () => true,
          (error: unknown) => {
            if (name !== 'Trino') throw error;
            return false;
          },
        );
        if (round > 0) times[i]![name].push(isDone ? performance.now() - started : Number.NaN);
      }
    }
  }
}

await measure({ svc: ({ ours }) => overHttp(ours), DuckDB: ({ sql }) => bare(duckdb, sql) });
// Alone, because its compiler and its garbage collector still work after a statement has finished.
const trino = await openTrino(service.url, ENVIRONMENT, suite);
if (trino) await measure({ Trino: ({ sql }) => trino.run(sql.trim().replace(/;$/, '')) });

console.log(`\n${suite}, scale factor ${SCALE}, ${queries.length} queries, ${ROUNDS} rounds:`);
const column = (name: Name, ms: number) => `${name} ${(Number.isNaN(ms) ? '–' : ms.toFixed(0)).padStart(6)} ms   `;
for (const [i, row] of times.entries()) {
  const [ours, peer, other] = [median(row.svc), median(row.DuckDB), median(row.Trino)];
  const columns = column('svc', ours) + column('DuckDB', peer) + (trino ? column('Trino', other) : '');
  console.log(`  ${String(i + 1).padStart(2)}  ${columns}ratio ${(ours / peer).toFixed(2)}`);
}
const total = (name: Name, round: number, of = times) => of.reduce((sum, row) => sum + row[name][round]!, 0);
const totals = (name: Name, of = times) => Array.from({ length: ROUNDS }, (_, round) => total(name, round, of));
const ratios = totals('svc').map((ms, round) => ms / total('DuckDB', round));
console.log(
  `  all ${median(totals('svc')).toFixed(0)} ms   DuckDB ${median(totals('DuckDB')).toFixed(0)} ms   ratio ${median(ratios).toFixed(2)} (${ratios.map((r) => r.toFixed(2)).join(', ')})   aim ≤ ${AIM}`,
);
const shared = times.filter((row) => row.Trino.length > 0 && !row.Trino.some(Number.isNaN));
if (trino) {
  const [ours, theirs] = [median(totals('svc', shared)), median(totals('Trino', shared))];
  console.log(
    `  the ${shared.length} that Trino runs: ${ours.toFixed(0)} ms   Trino ${theirs.toFixed(0)} ms   Trino takes ${(theirs / ours).toFixed(1)} times as long`,
  );
}
await trino?.stop();
await service.stop();
removeHome(home);
