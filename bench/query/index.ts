// A query over HTTP (submitted and waited for, with its rows) against bare DuckDB on the same Parquet file, which here also
// writes its result to a file and reads it back. Aims: a small query costs at most 15 ms more, a long one 5 %.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { interleave, median, report, type Times } from '../service/measure.ts';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import { fillTable, onlyFile } from '../service/table.ts';

const LARGE = Number(process.argv[2] ?? 20_000_000);
/** Queries before the first that is measured. */
const WARM = 200;
const home = newHome();
const service = await startStandalone(home);
const instance = await DuckDBInstance.create(':memory:');
const duckdb = await instance.connect();
await fillTable(service, 'bench.small', 10_000);
const small = onlyFile(home);
const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
const queries = `${service.url}/api/v1/environments/bench/queries`;

async function overHttp(sql: string): Promise<void> {
  const submitted = await fetch(`${queries}?wait=60`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ sql, cache: false }),
  });
  const finished = (await submitted.json()) as { result?: { rows: unknown[] } };
  if (!finished.result?.rows.length) throw new Error(`the query finished as ${JSON.stringify(finished)}`);
}

async function bare(sql: string): Promise<void> {
  const file = join(home, 'peer.parquet');
  await duckdb.run(`COPY (${sql}) TO '${file}' (FORMAT parquet)`);
  (await duckdb.runAndReadAll(`SELECT * FROM '${file}' LIMIT 1000`)).getRowsJson();
  await rm(file);
}

const pair = (file: string, table: string, sql: (from: string) => string) => ({
  'over HTTP': () => overHttp(sql(table)),
  'bare DuckDB': () => bare(sql(`'${file}'`)),
});

/** Users pause between two queries; by then the next preforked child is ready. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 700));
const day = (from: string) =>
  `SELECT day, count(*) AS c, sum(amount) AS s FROM ${from} GROUP BY day ORDER BY day LIMIT 100`;
// As of a service that has been up for a while: both sides' code is compiled by then.
const both = pair(small, 'bench.small', day);
for (let i = 0; i < WARM; i++) for (const run of Object.values(both)) await run();
const smallTimes = await interleave({ rounds: 61, warmUp: 3, before: pause }, both);
report('small query (10,000 rows, aggregate), aim: over ≤ 15 ms', smallTimes, 'over HTTP', 'bare DuckDB');

await fillTable(service, 'bench.large', LARGE);
const large = onlyFile(home, small);
const long = (from: string) =>
  `SELECT id % 1000 AS g, count(*) AS c, sum(value) AS s, max(name) AS m, count(DISTINCT day) AS d FROM ${from} GROUP BY g ORDER BY s DESC`;
const longTimes = await interleave({ rounds: 5, before: pause }, pair(large, 'bench.large', long));
report(`long query (${LARGE} rows, aggregate), aim: ratio ≤ 1.05`, longTimes, 'over HTTP', 'bare DuckDB');

const burst: Times = { 'one after the other': [] };
for (let i = 0; i < 20; i++) {
  const start = performance.now();
  await overHttp(day('bench.small'));
  burst['one after the other']!.push(performance.now() - start);
}
console.log(`\nsmall queries without a pause: ${median(burst['one after the other']!).toFixed(0)} ms each`);
duckdb.closeSync();
instance.closeSync();
await service.stop();
removeHome(home);
