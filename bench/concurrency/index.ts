// Many queries at once over HTTP, each submitted, waited for and returned with its rows, beside DuckDB behind a minimal HTTP
// server. `npm run bench concurrency [SECONDS]`: seconds per measurement (default: 10).
// Aims on two cores: 16 clients of one principal ≥ 250 q/s and p99 ≤ 200 ms; 16 principals ≥ 120 q/s and p99 ≤ 400 ms; a
// dashboard of 20 statements and 5 viewers within 1 s and ≥ 1,500 q/s from the cache; 8 short clients beside 2 long scans:
// p99 ≤ 300 ms, and the scans take at most 1.3 times as long as alone.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { killOnExit } from '../service/end-with-process.ts';
import { median } from '../service/measure.ts';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import { fillTable, onlyFile } from '../service/table.ts';
import { line, loadOf, perSecond, poster } from './clients.ts';

const SECONDS = Number(process.argv[2] ?? 10);
const LARGE = 6_000_000;
const TILES = 20;
const VIEWERS = 5;
const window = { ms: SECONDS * 1000 };

const home = newHome();
const service = await startStandalone(home);
const { post, close } = poster();
const queries = `${service.url}/api/v1/environments/bench/queries?wait=60`;

async function query(sql: string, token = TOKEN): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const finished = JSON.parse(await post(queries, headers, JSON.stringify({ sql }))) as {
    result?: { rows: unknown[] };
  };
  if (!finished.result?.rows.length) throw new Error(`the query finished as ${JSON.stringify(finished)}`);
}

/** An aggregate of 25 rows; every number makes another statement, which no cache has. */
const tiny = (from: string, n: number) =>
  `SELECT id % 5 AS g, count(*) AS c, sum(value) AS s FROM ${from} WHERE id >= 0 AND id <> ${-1 - n} GROUP BY g ORDER BY g`;
const long = (from: string, n: number) =>
  `SELECT id % 1000 AS g, count(*) AS c, sum(value) AS s, max(name) AS m FROM ${from} WHERE id <> ${-1 - n} GROUP BY g ORDER BY s DESC LIMIT 10`;

await fillTable(service, 'bench.tiny', 25);
const tinyFile = onlyFile(home);
await fillTable(service, 'bench.large', LARGE);
const largeFile = onlyFile(home, tinyFile);

const port = await freePort();
const peer = killOnExit(fork(fileURLToPath(new URL('./peer.ts', import.meta.url)), [String(port)]));
await once(peer, 'message');
const runOnPeer = (engine: 'shared' | 'fresh', sql: string) => post(`http://127.0.0.1:${port}/${engine}`, {}, sql);

/** Service accounts that may query and read, with a token each. */
async function principals(count: number): Promise<string[]> {
  const { client } = service;
  const tokens: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = `reader-${i}`;
    await client.principals.create({ name, type: 'service-account' });
    const on = { principal: name, environment: 'bench' };
    await client.grants.create({ kind: 'ENVIRONMENT', action: 'SUBMIT_QUERY', ...on });
    await client.grants.create({ kind: 'NAMESPACE', action: 'READ_TABLE', namespace: 'bench', ...on });
    tokens.push((await client.tokens.issue(name, 'bench')).token);
  }
  return tokens;
}

let next = 0;
console.log(`tiny aggregate (25 rows), ${SECONDS} s each:`);
for (const clients of [1, 4, 16]) {
  const aim = clients === 16 ? 'aim ≥ 250 q/s, p99 ≤ 200 ms' : '';
  await loadOf({ clients, ms: 1000 }, () => query(tiny('bench.tiny', next++)));
  const ours = await loadOf({ clients, ...window }, () => query(tiny('bench.tiny', next++)));
  console.log(line(`${clients} clients, one principal`, ours, aim));
}
const tokens = await principals(16);
await loadOf({ clients: 16, ms: 2000 }, (client) => query(tiny('bench.tiny', next++), tokens[client]));
const apart = await loadOf({ clients: 16, ...window }, (client) => query(tiny('bench.tiny', next++), tokens[client]));
console.log(line('16 clients, 16 principals', apart, 'aim ≥ 120 q/s, p99 ≤ 400 ms'));
for (const engine of ['shared', 'fresh'] as const) {
  const load = await loadOf({ clients: 16, ...window }, () => runOnPeer(engine, tiny(`'${tinyFile}'`, next++)));
  console.log(line(`peer: DuckDB over HTTP, ${engine}`, load));
}

console.log(`\ndashboard, ${TILES} statements and ${VIEWERS} viewers:`);
const tiles = Array.from({ length: TILES }, () => tiny('bench.tiny', next++));
const open = async () => {
  const started = performance.now();
  await Promise.all(Array.from({ length: VIEWERS }, () => Promise.all(tiles.map((sql) => query(sql)))));
  return performance.now() - started;
};
console.log(`  first opened: ${(await open()).toFixed(0)} ms`);
const again: number[] = [];
for (let i = 0; i < 5; i++) again.push(await open());
console.log(`  opened again: ${median(again).toFixed(0)} ms   aim ≤ 1,000 ms`);
const cached = await loadOf({ clients: VIEWERS * 4, ...window }, (_, n) => query(tiles[n % TILES]!));
console.log(line('the same statements', cached, 'aim ≥ 1,500 q/s'));

console.log(`\n8 short clients beside 2 long scans (${LARGE.toLocaleString('en')} rows):`);
/** Short and long statements at once, and how much longer the long ones take than alone. */
async function mixed(short: (client: number) => Promise<unknown>, scan: () => Promise<unknown>) {
  const longLoad = (of: typeof window) => loadOf({ clients: 2, ...of }, scan);
  const both = (of: typeof window) => Promise.all([loadOf({ clients: 8, ...of }, short), longLoad(of)]);
  await longLoad({ ms: 1000 });
  const alone = await longLoad(window);
  await both({ ms: 2000 });
  const [shorts, beside] = await both(window);
  return { alone, shorts, beside, times: (perSecond(alone) / perSecond(beside)).toFixed(2) };
}
const ours = await mixed(
  () => query(tiny('bench.tiny', next++), tokens[0]),
  () => query(long('bench.large', next++)),
);
console.log(line('long scans alone', ours.alone));
console.log(line('short', ours.shorts, 'aim p99 ≤ 300 ms'));
console.log(line('long scans beside them', ours.beside));
console.log(`  long scans take ${ours.times} times as long as alone   aim ≤ 1.3`);
const peers = await mixed(
  () => runOnPeer('shared', tiny(`'${tinyFile}'`, next++)),
  () => runOnPeer('shared', long(`'${largeFile}'`, next++)),
);
console.log(line('peer, shared: long scans alone', peers.alone));
console.log(line('peer, shared: short', peers.shorts));
console.log(line('peer, shared: long beside them', peers.beside));
console.log(`  the peer's long scans take ${peers.times} times as long as alone`);

peer.disconnect();
close();
await service.stop();
removeHome(home);
