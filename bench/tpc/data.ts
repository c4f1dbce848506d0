import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = ['duckdb==1.5.5', 'duckdb-extension-tpch==1.5.5', 'duckdb-extension-tpcds==1.5.5'];
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/svc/bench-tpc/', import.meta.url));

export type Suite = 'tpch' | 'tpcds';

/** The Parquet files of a suite by table, and its queries. */
export interface SuiteData {
  readonly tables: ReadonlyMap<string, string>;
  readonly queries: readonly string[];
}

/** Generates the data once into the cache of this checkout, with DuckDB's generators from PyPI. Needs uv. */
export async function suiteData(suite: Suite, scale: number): Promise<SuiteData> {
  const folder = join(CACHE, `${suite}-${scale}`);
  if (!existsSync(folder)) {
    const uv = process.env['SVC_RUN__UV'] ?? 'uv';
    const venv = join(CACHE, 'python');
    if (!existsSync(venv)) await run(uv, ['venv', '--quiet', venv]);
    await run(uv, ['pip', 'install', '--quiet', '--python', venv, ...PACKAGES]);
    const unfinished = `${folder}-unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const script = fileURLToPath(new URL('./generate.py', import.meta.url));
    await run(join(venv, 'bin/python'), [script, suite, String(scale), unfinished]);
    renameSync(unfinished, folder);
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.parquet'));
  return {
    tables: new Map(files.map((name) => [basename(name, '.parquet'), join(folder, name)])),
    queries: JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')),
  };
}
