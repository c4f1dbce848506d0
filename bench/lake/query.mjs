// What the sandbox costs over bare DuckDB on the same files: a small query, a long one, a large result.

import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { joinLocation } from '@svc/iceberg';
import { runQuery } from '@svc/lake/queries';
import { addTable, openFixture } from './fixture.mjs';
import { interleave, median, megabytes, report } from './measure.mjs';

const fixture = await openFixture();
const { sandbox, store, duckdb, dir } = fixture;
const small = await addTable(fixture, 10_000);
const large = await addTable(fixture, 20_000_000);
let results = 0;

const pair = (table, sql) => ({
  ours: async () => {
    const location = joinLocation(store.root, 'results', `${++results}.parquet`);
    const resolve = async () => [table.relation];
    const outcome = await runQuery(sandbox, { sql: sql('s.t'), resolve, output: { kind: 'result', location } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    await store.remove(location);
  },
  'bare DuckDB': async () => {
    const out = path.join(dir, 'peer.parquet');
    await duckdb.run(`COPY (${sql(`'${table.path}'`)}) TO '${out}' (FORMAT parquet)`);
    await (await duckdb.runAndReadAll(`SELECT * FROM '${out}' LIMIT 1000`)).getRows();
    await rm(out);
  },
});

// A preforked child is ready before each small query, so this measures what a user waits for, not how fast children start.
const smallPair = pair(
  small,
  (t) => `SELECT day, count(*) AS c, sum(amount) AS s FROM ${t} GROUP BY day ORDER BY day LIMIT 100`,
);
const times = { ours: [], 'bare DuckDB': [] };
for (let i = 0; i < 31; i++) {
  await sandbox.warm();
  for (const [name, run] of Object.entries(smallPair)) {
    const start = performance.now();
    await run();
    if (i > 0) times[name].push(performance.now() - start);
  }
}
report('small query (10,000 rows, aggregate), aim: over ≤ 15 ms', times, 'ours', 'bare DuckDB');

const long = (t) =>
  `SELECT id % 1000 AS g, count(*) AS c, sum(value) AS s, max(name) AS m, count(DISTINCT day) AS d FROM ${t} GROUP BY g ORDER BY s DESC`;
await sandbox.warm();
report(
  'long query (20,000,000 rows, aggregate), aim: ratio ≤ 1.05',
  await interleave(5, pair(large, long)),
  'ours',
  'bare DuckDB',
);
const wide = (t) => `SELECT * FROM ${t} WHERE id % 2 = 0`;
report('large result (10,000,000 rows)', await interleave(3, pair(large, wide)), 'ours', 'bare DuckDB');

const idle = [];
for (let i = 0; i < 5; i++) {
  await sandbox.warm();
  await sandbox.withChild(async (child) => {
    await child.ready;
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const smaps = await readFile(`/proc/${child.pid}/smaps_rollup`, 'utf8').catch(() => '');
    idle.push(
      [/VmRSS:\s+(\d+)/.exec(status)?.[1], /Pss:\s+(\d+)/.exec(smaps)?.[1]].map((kb) => Number(kb ?? 0) * 1024),
    );
  });
}
console.log(
  `\nidle preforked child: ${megabytes(median(idle.map((m) => m[0])))} resident, ${megabytes(median(idle.map((m) => m[1])))} proportional (aim ≤ 100 MB)`,
);
await fixture.close();
