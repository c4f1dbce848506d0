import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';

const run = promisify(execFile);
const PACKAGES = [
  'duckdb==1.5.5',
  'duckdb-extension-tpch==1.5.5',
  'duckdb-extension-tpcds==1.5.5',
  'tpchgen-cli==4.0.0',
];
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/svc/bench-tpc/', import.meta.url));

export type Suite = 'tpch' | 'tpcds';

/** The Parquet files of a suite by table, and its queries. */
export interface SuiteData {
  readonly tables: ReadonlyMap<string, string>;
  readonly queries: readonly string[];
}

/** Generates the data once into the cache of this checkout, with DuckDB's generators from PyPI. Needs uv. */
export async function suiteData(suite: Suite, scale: number): Promise<SuiteData> {
  const folder = await generated(`${suite}-${scale}`, async (bin, unfinished) => {
    const script = fileURLToPath(new URL('./generate.py', import.meta.url));
    await run(join(bin, 'python'), [script, suite, String(scale), unfinished]);
  });
  const files = readdirSync(folder).filter((name) => name.endsWith('.parquet'));
  return {
    tables: new Map(files.map((name) => [basename(name, '.parquet'), join(folder, name)])),
    queries: JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')),
  };
}

/** The table lineitem alone, written by a generator that needs little memory. */
export async function lineitemFile(scale: number): Promise<string> {
  const folder = await generated(`lineitem-${scale}`, async (bin, unfinished) => {
    const what = ['parquet', '-s', String(scale), '--tables=lineitem', `--output-dir=${unfinished}`];
    await run(join(bin, 'tpchgen-cli'), what);
  });
  return join(folder, 'lineitem.parquet');
}

/** A folder of the cache, made if it is missing. `bin` has the generators. */
async function generated(name: string, make: (bin: string, unfinished: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const uv = process.env['SVC_RUN__UV'] ?? 'uv';
  const venv = join(CACHE, 'python');
  if (!existsSync(venv)) await run(uv, ['venv', '--quiet', venv]);
  await run(uv, ['pip', 'install', '--quiet', '--python', venv, ...PACKAGES]);
  const unfinished = `${folder}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await make(join(venv, 'bin'), unfinished);
  renameSync(unfinished, folder);
  return folder;
}

const WIRE_TYPES: Record<string, string> = { VARCHAR: 'string', BIGINT: 'long', INTEGER: 'int', DATE: 'date' };

/** The columns of a Parquet file, for the request that creates its table. */
export async function wireColumns(duckdb: DuckDBConnection, file: string) {
  const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM '${file}'`);
  return described.getRows().map(([name, type]) => ({
    name: String(name),
    type: WIRE_TYPES[String(type)] ?? String(type).toLowerCase(),
    nullable: true,
    description: null,
  }));
}
