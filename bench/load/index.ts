// A CSV of 1,000,000 rows loaded over HTTP (uploaded, checked, committed) against DuckDB's own COPY of the same file to
// Parquet, and the memory that it takes. Aim: at most 1.5 times.

import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
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

const ROWS = Number(process.argv[2] ?? 1_000_000);
const home = newHome();
const service = await startStandalone(home);
const instance = await DuckDBInstance.create(':memory:');
const duckdb = await instance.connect();
const csv = join(home, 'rows.csv');
await duckdb.run(`COPY (${rowsSql(ROWS)}) TO '${csv}' (HEADER)`);
await makeTable(service, 'bench.loaded');

const peak = { service: 0, child: 0 };
const watch = setInterval(() => {
  peak.service = Math.max(peak.service, residentOf(service.pid));
  for (const pid of descendants(service.pid))
    if (/child\.js/.test(commandOf(pid))) peak.child = Math.max(peak.child, residentOf(pid));
}, 50);
const out = join(home, 'peer.parquet');
const times = await interleave(
  // Of a service that runs: the first load starts a second engine's process beside the next one.
  { rounds: 15, warmUp: 3 },
  {
    'over HTTP': async () => {
      const { client } = service;
      const body = () => createReadStream(csv, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>;
      const { id } = await client.tables.load('bench', 'bench.loaded', body, { format: 'csv', mode: 'replace' });
      const write = await client.writes.wait('bench', id);
      if (write.status !== 'succeeded' || write.rows !== ROWS) throw new Error(JSON.stringify(write));
    },
    'DuckDB COPY': async () => {
      await duckdb.run(`COPY (SELECT * FROM '${csv}') TO '${out}' (FORMAT parquet)`);
      await rm(out);
    },
  },
);
clearInterval(watch);
const { size } = await stat(csv);
report(`load of a CSV (${ROWS} rows, ${megabytes(size)}), aim: ratio ≤ 1.5`, times, 'over HTTP', 'DuckDB COPY');
console.log(`  peaks: service ${megabytes(peak.service)}, its child ${megabytes(peak.child)} resident`);
duckdb.closeSync();
instance.closeSync();
await service.stop();
removeHome(home);
