// The queries of TPC-H or TPC-DS one after the other over HTTP, with their rows, against bare DuckDB on the same data files.
// `npm run bench tpc [SUITE] [SCALE] [ROUNDS]` (default: tpch 1 3). Aims at scale factor 1: tpch ≤ 1.10 times, tpcds ≤ 1.20 times.
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { median } from '../service/measure.ts';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import { type Suite, suiteData, wireColumns } from './data.ts';

const suite = (process.argv[2] ?? 'tpch') as Suite;
const SCALE = Number(process.argv[3] ?? 1);
const ROUNDS = Number(process.argv[4] ?? 3);
const AIM = { tpch: 1.1, tpcds: 1.2 }[suite];

const data = await suiteData(suite, SCALE);
const home = newHome();
const service = await startStandalone(home);
const { client } = service;
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
await client.environments.create('bench');
await client.namespaces.create('bench', suite);

const value = async (sql: string): Promise<unknown> => (await duckdb.runAndReadAll(sql)).getRows()[0]?.[0];
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** Loads a table and creates the view of its data files for the peer. */
async function load(table: string, file: string): Promise<void> {
  const columns = await wireColumns(duckdb, file);
  const name = `${suite}.${table}`;
  await client.tables.create('bench', name, { kind: 'managed', description: null, columns });
  const write = await client.tables.load('bench', name, () => createReadStream(file), { format: 'parquet' });
  const loaded = await client.writes.wait('bench', write.id);
  if (loaded.status !== 'succeeded') throw new Error(JSON.stringify(loaded));
  await duckdb.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet([${newFiles().map(text).join()}])`);
}

const known = new Set<string>();

/** The data files that were written since the last call. */
function newFiles(): string[] {
  const folder = join(home, 'warehouse', 'tables');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.parquet') && !known.has(name),
  );
  for (const name of files) known.add(name);
  return files.map((name) => join(folder, name));
}

/** The statement with the namespace before every table. */
async function qualified(sql: string): Promise<string> {
  const tree = JSON.parse(String(await value(`SELECT json_serialize_sql(${text(sql)})`)), (key, node) => {
    // An unknown position is a number that JavaScript can't represent.
    if (key === 'query_location') return 0;
    return node?.type === 'BASE_TABLE' && data.tables.has(node.table_name) ? { ...node, schema_name: suite } : node;
  });
  return String(await value(`SELECT json_deserialize_sql(${text(JSON.stringify(tree))})`));
}

async function overHttp(sql: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/environments/bench/queries?wait=60`, {
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

for (const [table, file] of data.tables) await load(table, file);
const queries = await Promise.all(data.queries.map(async (sql) => ({ sql, ours: await qualified(sql) })));
const times = queries.map(() => ({ ours: [] as number[], peer: [] as number[] }));
const timed = async (run: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await run();
  return performance.now() - started;
};
for (let round = 0; round <= ROUNDS; round++) {
  for (const [i, { sql, ours }] of queries.entries()) {
    const pair = { ours: await timed(() => overHttp(ours)), peer: await timed(() => bare(duckdb, sql)) };
    if (round === 0) continue;
    times[i]!.ours.push(pair.ours);
    times[i]!.peer.push(pair.peer);
  }
}

console.log(`\n${suite}, scale factor ${SCALE}, ${queries.length} queries, ${ROUNDS} rounds:`);
for (const [i, { ours, peer }] of times.entries()) {
  const [a, b] = [median(ours), median(peer)];
  console.log(
    `  ${String(i + 1).padStart(2)}  ${a.toFixed(0).padStart(6)} ms   DuckDB ${b.toFixed(0).padStart(6)} ms   ratio ${(a / b).toFixed(2)}`,
  );
}
const rounds = Array.from({ length: ROUNDS }, (_, round) => {
  const total = (of: 'ours' | 'peer') => times.reduce((sum, t) => sum + t[of][round]!, 0);
  return { ours: total('ours'), peer: total('peer'), ratio: total('ours') / total('peer') };
});
console.log(
  `  all ${median(rounds.map((r) => r.ours)).toFixed(0)} ms   DuckDB ${median(rounds.map((r) => r.peer)).toFixed(0)} ms   ratio ${median(rounds.map((r) => r.ratio)).toFixed(2)} (${rounds.map((r) => r.ratio.toFixed(2)).join(', ')})   aim ≤ ${AIM}`,
);
await service.stop();
removeHome(home);
