// A file loaded over HTTP (uploaded, checked, committed) against DuckDB's own COPY of the same file to Parquet, and the memory
// that it takes. `npm run bench load [ROWS]`: a CSV of so many rows (default: 1,000,000). `npm run bench load lineitem [SCALE]`:
// the table lineitem of TPC-H as Parquet (default: scale factor 10, 60 million rows, 2.5 GB; needs uv).
// Aims: a CSV at most 1.5 times, lineitem at most 1.15 times and at most 1 GB of memory.

import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { interleave, report } from '../service/measure.ts';
import {
  commandOf,
  descendants,
  megabytes,
  newHome,
  removeHome,
  residentOf,
  startStandalone,
} from '../service/service.ts';
import { makeTable, rowsSql } from '../service/table.ts';
import { lineitemFile, wireColumns } from '../tpc/data.ts';

const isLineitem = process.argv[2] === 'lineitem';
const home = newHome();
const service = await startStandalone(home);
const { client } = service;
const instance = await DuckDBInstance.create(':memory:');
const duckdb = await instance.connect();
const [format, aim] = isLineitem ? (['parquet', 'ratio ≤ 1.15'] as const) : (['csv', 'ratio ≤ 1.5'] as const);
const file = isLineitem ? await lineitemFile(Number(process.argv[3] ?? 10)) : join(home, 'rows.csv');
if (isLineitem) {
  await client.environments.create('bench');
  await client.namespaces.create('bench', 'bench');
  const columns = await wireColumns(duckdb, file);
  await client.tables.create('bench', 'bench.loaded', { kind: 'managed', description: null, columns });
} else {
  await duckdb.run(`COPY (${rowsSql(Number(process.argv[2] ?? 1_000_000))}) TO '${file}' (HEADER)`);
  await makeTable(service, 'bench.loaded');
}
const { size } = await stat(file);
const [[rows] = []] = (await duckdb.runAndReadAll(`SELECT count(*) FROM '${file}'`)).getRowsJson();

const peak = { service: 0, child: 0 };
const watch = setInterval(() => {
  peak.service = Math.max(peak.service, residentOf(service.pid));
  for (const pid of descendants(service.pid))
    if (/child\.js/.test(commandOf(pid))) peak.child = Math.max(peak.child, residentOf(pid));
}, 50);
const out = join(home, 'peer');
const times = await interleave(
  // Of a service that runs: the first load starts a second engine's process beside the next one.
  size > 1e9 ? { rounds: 3, warmUp: 0 } : { rounds: 15, warmUp: 3 },
  {
    'over HTTP': async () => {
      const body = () => createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>;
      const { id } = await client.tables.load('bench', 'bench.loaded', body, { format, mode: 'replace' });
      const write = await client.writes.wait('bench', id);
      if (write.status !== 'succeeded' || write.rows !== Number(rows)) throw new Error(JSON.stringify(write));
    },
    'DuckDB COPY': async () => {
      await mkdir(out);
      await duckdb.run(`COPY (SELECT * FROM '${file}') TO '${out}/rows.parquet' (FORMAT parquet)`);
      await rm(out, { recursive: true });
    },
  },
);
clearInterval(watch);
const what = isLineitem ? 'lineitem as Parquet' : 'a CSV';
report(`load of ${what} (${rows} rows, ${megabytes(size)}), aim: ${aim}`, times, 'over HTTP', 'DuckDB COPY');
console.log(`  peaks: service ${megabytes(peak.service)}, its child ${megabytes(peak.child)} resident`);
duckdb.closeSync();
instance.closeSync();
await service.stop();
removeHome(home);
