// Loading a 1,000,000-row CSV into Iceberg data files against DuckDB's own COPY of the same file to Parquet.

import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { load } from '@svc/lake/writes';
import { COLUMNS, openFixture, SELECT } from './fixture.mjs';
import { interleave, megabytes, report } from './measure.mjs';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const fixture = await openFixture({ memoryLimit: 1024 ** 3 });
const { sandbox, store, duckdb, dir } = fixture;
const { fields } = fieldsOfColumns(COLUMNS);
const csv = path.join(dir, 'rows.csv');
await duckdb.run(`COPY (${SELECT.replace('$ROWS', ROWS)}) TO '${csv}' (HEADER)`);
console.log(`${ROWS} rows, ${megabytes((await stat(csv)).size)}`);
const staged = joinLocation(store.root, 'uploads', 'rows.csv');
const stage = await store.openStage();
await duckdb.run(`COPY (SELECT * FROM '${csv}') TO '${path.join(stage.dir, 'rows.csv')}' (HEADER)`);
await store.moveInto(path.join(stage.dir, 'rows.csv'), staged);
await stage.close();

let peak = 0;
const watch = setInterval(async () => {
  for (const child of await children()) peak = Math.max(peak, await resident(child));
}, 50);

async function children() {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean);
}

async function resident(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

await sandbox.warm();
const out = path.join(dir, 'peer.parquet');
const times = await interleave(7, {
  ours: async () => {
    const outcome = await load(sandbox, {
      source: { locations: [staged], format: 'csv' },
      fields,
      tableLocation: joinLocation(store.root, 'table'),
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    for (const file of outcome.files) await store.remove(file.file_path);
  },
  'DuckDB COPY': async () => {
    await duckdb.run(`COPY (SELECT * FROM '${csv}') TO '${out}' (FORMAT parquet)`);
    await rm(out);
  },
});
clearInterval(watch);
report('load of a CSV, aim: ratio ≤ 1.5', times, 'ours', 'DuckDB COPY');
console.log(`  peak of the loading child: ${megabytes(peak)} resident`);
await fixture.close();
