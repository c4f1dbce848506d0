// The rows of TPC-H and TPC-DS through the PostgreSQL endpoint against those of bare DuckDB on the same data files.
// `npm run bench tpc-postgres [SCALE] [SUITE…]` (default: 1 tpch tpcds). Aim: no query differs.
import pg from 'pg';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import type { Suite } from '../tpc/data.ts';
import { bareRows, type Cell, compareSuites, difference } from '../tpc/differences.ts';
import { ENVIRONMENT, LoadedSuite } from '../tpc/loaded.ts';

/** Values of every type as the texts that the endpoint sends. */
const AS_TEXTS = { getTypeParser: () => (value: string) => value };

/** How many queries differ. */
async function compare(suite: Suite, scale: number): Promise<number> {
  const home = newHome();
  const port = await freePort();
  const service = await startStandalone(home, { SVC_SQL__LISTEN: `127.0.0.1:${port}` });
  const options = { host: '127.0.0.1', port, user: 'admin', password: TOKEN, database: ENVIRONMENT };
  let [differ, ms] = [0, 0];
  try {
    const loaded = await LoadedSuite.load(suite, scale, service);
    const client = new pg.Client({ ...options, types: AS_TEXTS });
    await client.connect();
    for (const [i, sql] of loaded.data.queries.entries()) {
      const text = await loaded.qualified(sql);
      const started = performance.now();
      const found = await client.query<Cell[]>({ text, rowMode: 'array' }).then(
        ({ rows }) => rows,
        (error: unknown) => String(error),
      );
      ms += performance.now() - started;
      const why = typeof found === 'string' ? found : difference(found, await bareRows(loaded.duckdb, sql));
      if (why === null) continue;
      differ += 1;
      console.log(`  ${suite} ${i + 1}: ${why}`);
    }
    console.log(
      `${suite}, scale factor ${scale}: ${differ} of ${loaded.data.queries.length} queries differ; ${ms.toFixed(0)} ms.`,
    );
    await client.end();
  } finally {
    await service.stop();
    removeHome(home);
  }
  return differ;
}

await compareSuites(compare);
