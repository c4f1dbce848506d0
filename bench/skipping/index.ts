// Lookups and a range over a table whose rows are in no order: as loaded, with bloom filters, and sorted, each over HTTP
// and by bare DuckDB on the same files. Also how large the files become, and how long the maintenance takes.

import { statSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import type { MaintainOptions } from '@svc/sdk';
import { interleave, median } from '../service/measure.ts';
import { megabytes, newHome, removeHome, startStandalone } from '../service/service.ts';
import { dataFiles } from '../service/table.ts';

const ROWS = Number(process.argv[2] ?? 5_000_000);
const ROUNDS = 7;
const TABLE = 'bench.events';
const home = newHome();
const service = await startStandalone(home);
const { client } = service;
const instance = await DuckDBInstance.create(':memory:');
const duckdb = await instance.connect();

await client.environments.create('bench');
await client.namespaces.create('bench', 'bench');
await client.tables.create('bench', TABLE, {
  columns: [
    { name: 'id', type: 'long' },
    { name: 'customer', type: 'string' },
    { name: 'kind', type: 'int' },
    { name: 'amount', type: 'double' },
    { name: 'happened', type: 'timestamp' },
  ],
});
const spread = (i: string) => `(hash(${i}) % 1000000000000)::BIGINT`;
const rows = `SELECT ${spread('i')} AS id, 'u' || hash(i + 7) % ${Math.ceil(ROWS / 4)} AS customer, (i % 100)::INT AS kind,
  (hash(i + 3) % 1000) / 10.0::DOUBLE AS amount, TIMESTAMP '2026-01-01' + to_seconds(i) AS happened FROM range(${ROWS}) r(i)`;
await client.queries.run('bench', rows, { into: TABLE, mode: 'append' });

const firstValue = async (sql: string) => String((await duckdb.runAndReadAll(sql)).getRowsJson()[0]![0]);
const present = await firstValue(`SELECT ${spread(`${Math.floor(ROWS / 2)}::BIGINT`)}`);
const customer = await firstValue(`SELECT 'u' || hash(${Math.floor(ROWS / 2)}::BIGINT + 7) % ${Math.ceil(ROWS / 4)}`);
const QUERIES = {
  'id that exists': { where: `id = ${present}`, probe: ['id', present] },
  'id that is missing': { where: 'id = 123456789', probe: ['id', '123456789'] },
  customer: { where: `customer = '${customer}'`, probe: ['customer', `'${customer}'`] },
  'range of ids (0.1 %)': { where: 'id BETWEEN 500000000000 AND 501000000000', probe: null },
} as const;

/** Row groups that neither statistics nor bloom filters exclude. */
async function candidates(files: readonly string[], [column, value]: readonly [string, string]): Promise<string> {
  const list = `[${files.map((file) => `'${file}'`).join(', ')}]`;
  const type = column === 'id' ? 'BIGINT' : 'VARCHAR';
  return firstValue(`
    SELECT count(*) FILTER (NOT bloom_filter_excludes AND ${value} BETWEEN stats_min_value::${type} AND stats_max_value::${type})
      || ' of ' || count(*)
    FROM parquet_metadata(${list}) JOIN parquet_bloom_probe(${list}, '${column}', ${value}) USING (file_name, row_group_id)
    WHERE path_in_schema = '${column}'`);
}

async function measure(title: string, files: readonly string[]): Promise<void> {
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  console.log(`\n${title}: ${megabytes(size)} in ${files.length} files`);
  for (const [name, { where, probe }] of Object.entries(QUERIES)) {
    const sql = (from: string) =>
      `SELECT count(*) AS c, sum(amount) AS s, max(happened) AS m FROM ${from} WHERE ${where}`;
    const read = `read_parquet([${files.map((file) => `'${file}'`).join(', ')}])`;
    const times = await interleave(
      { rounds: ROUNDS, warmUp: 2 },
      {
        svc: async () => void (await client.queries.run('bench', sql(TABLE), { cache: false })),
        duckdb: async () => void (await duckdb.runAndReadAll(sql(read))).getRowsJson(),
      },
    );
    const found = probe === null ? '' : `, row groups ${await candidates(files, probe)}`;
    const [svc, bare] = [median(times['svc']!).toFixed(1), median(times['duckdb']!).toFixed(1)];
    console.log(`  ${name.padEnd(22)} svc ${svc.padStart(6)} ms, DuckDB ${bare.padStart(6)} ms${found}`);
  }
}

const known: string[] = dataFiles(home);
await measure('as loaded', known);

async function maintained(title: string, options: MaintainOptions): Promise<void> {
  const start = performance.now();
  const { id } = await client.tables.maintain('bench', TABLE, { compact: true, ...options });
  const finished = await client.maintenance.wait('bench', id);
  if (finished.status !== 'succeeded') throw new Error(JSON.stringify(finished));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  // The replaced files stay until the sweep.
  const files = dataFiles(home, ...known);
  known.push(...files);
  await measure(`${title} (in ${seconds} s)`, files);
}

await maintained('bloom filters for id and customer', { bloomFilters: ['id', 'customer'] });
await maintained('sorted by id', { sortBy: ['id'] });
await maintained('sorted by id, bloom filters for customer', { sortBy: ['id'], bloomFilters: ['customer'] });

duckdb.closeSync();
instance.closeSync();
await service.stop();
removeHome(home);
