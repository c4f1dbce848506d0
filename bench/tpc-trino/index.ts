// The rows of TPC-H and TPC-DS with Trino as the query engine against those of bare DuckDB on the same data files, and the queries
// that svc rejects for Trino or that take longer than 2 minutes. `npm run bench tpc-trino [SCALE] [SUITE…]` (default: 1 tpch tpcds). Aim: no query differs.
import { findTrino, startTrino } from '../../scripts/engines/trino-server.mjs';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import type { Suite } from '../tpc/data.ts';
import { bareRows, type Cell, compareSuites, difference } from '../tpc/differences.ts';
import { ENVIRONMENT, LoadedSuite } from '../tpc/loaded.ts';

const REFUSED = new Set(['not-supported', 'function-not-allowed', 'timeout']);
const TIMEOUT_SECONDS = '120';

const installed = await findTrino();
if (installed === null) process.exit(0);

interface Failure {
  readonly code: string;
  readonly detail: string;
}

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly error: Failure | null;
  readonly rows: Cell[][];
  readonly next_cursor: string | null;
}

/** The rows of a statement, or why it failed. */
async function rowsOf(url: string, sql: string): Promise<Cell[][] | Failure> {
  const base = `${url}/api/v1/environments/${ENVIRONMENT}/queries`;
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  const request = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(`${base}${path}`, { ...init, headers })).json()) as Answer;
  let record = await request('?wait=60', { method: 'POST', body: JSON.stringify({ sql, cache: false }) });
  while (['QUEUED', 'RUNNING'].includes(record.status)) record = await request(`/${record.id}?wait=60`);
  if (record.error !== null) return record.error;
  const rows: Cell[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Answer = await request(`/${record.id}/results?format=json&limit=10000${from}`);
    for (const row of page.rows) rows.push(row);
    cursor = page.next_cursor;
  }
  return rows;
}

/** How many queries differ. */
async function compare(suite: Suite, scale: number): Promise<number> {
  const home = newHome();
  const port = await freePort();
  const service = await startStandalone(home, {
    SVC_QUERY__ENGINE: 'trino',
    SVC_QUERY__TRINO_URL: `http://127.0.0.1:${port}`,
    SVC_QUERY__TRINO_CATALOG: 'svc',
    SVC_QUERY__TIMEOUT_SECONDS: TIMEOUT_SECONDS,
  });
  const engine = { url: service.url, catalog: 'svc', environment: ENVIRONMENT, token: TOKEN, memory: '8g', port };
  const trino = await startTrino(installed!, engine);
  const refused: string[] = [];
  let [differ, ms] = [0, 0];
  try {
    const loaded = await LoadedSuite.load(suite, scale, service);
    for (const [i, sql] of loaded.data.queries.entries()) {
      const text = await loaded.qualified(sql);
      const started = performance.now();
      const found = await rowsOf(service.url, text);
      ms += performance.now() - started;
      if (!Array.isArray(found) && REFUSED.has(found.code)) {
        refused.push(`${i + 1} (${found.detail})`);
        continue;
      }
      const why = Array.isArray(found) ? difference(found, await bareRows(loaded.duckdb, sql)) : found.detail;
      if (why === null) continue;
      differ += 1;
      console.log(`  ${suite} ${i + 1}: ${why}`);
    }
    const all = loaded.data.queries.length;
    const same = all - differ - refused.length;
    console.log(
      `${suite}, scale factor ${scale}: ${same} of ${all} queries have the same rows, ${differ} differ, ${refused.length} are rejected or take too long; ${(ms / 1000).toFixed(0)} s.`,
    );
    for (const one of refused) console.log(`  not run: ${one}`);
  } finally {
    await trino.stop();
    await service.stop();
    removeHome(home);
  }
  return differ;
}

await compareSuites(compare);
