// One authorised read over HTTP (token, rights, validation, metrics) against bare Express with the same query, each in a
// process of its own on one database, under 10 connections. Aim: at least 85 % of the bare one's rate.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '@svc/db/embedded';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { killOnExit } from '../service/end-with-process.ts';
import { median } from '../service/measure.ts';
import { newHome, removeHome, startProgram, TOKEN } from '../service/service.ts';

const CONNECTIONS = 10;
const REQUESTS = 1000;
const ROUNDS = Number(process.argv[2] ?? 5);
const PATH = '/api/v1/environments/bench';

const log = { info() {}, warn() {}, error() {}, debug() {} };
const home = newHome();
const postgres = await startEmbedded({ dataDir: join(home, 'postgres'), log: log as never });
const server = await startProgram('server', home, {
  SVC_DATABASE_URL: postgres.url,
  SVC_STORAGE__LOCATION: join(home, 'warehouse'),
  SVC_SECRETS__KEY: Buffer.alloc(32, 1).toString('base64'),
});
await server.client.environments.create('bench');
const peer = await startPeer(await freePort());
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

async function startPeer(port: number): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(new URL('./peer.ts', import.meta.url)), [postgres.url, String(port), TOKEN], {
    execArgv: ['--import', './scripts/typescript.mjs'],
  });
  killOnExit(child);
  await once(child, 'message');
  return { child, url: `http://127.0.0.1:${port}` };
}

function get(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { Authorization: `Bearer ${TOKEN}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    });
    call.on('error', reject).end();
  });
}

/** Requests per second. */
async function rate(url: string): Promise<number> {
  let left = REQUESTS;
  const start = performance.now();
  const connection = async () => {
    while (left-- > 0) await get(url);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return (REQUESTS / (performance.now() - start)) * 1000;
}

const [ours, bare, plain]: [number[], number[], number[]] = [[], [], []];
for (let round = -2; round < ROUNDS; round++) {
  const rates = [await rate(server.url + PATH), await rate(peer.url + PATH), await rate(`${peer.url}/plain/bench`)];
  if (round >= 0) for (const [i, list] of [ours, bare, plain].entries()) list.push(rates[i]!);
}
const ratio = (to: number[]) => median(ours.map((value, i) => value / to[i]!)).toFixed(2);
const line = (name: string, rates: number[]) => `${name.padEnd(42)}${median(rates).toFixed(0).padStart(6)} requests/s`;
console.log(line('service', ours));
console.log(`${line('bare Express, the same query', bare)}   ratio ${ratio(bare)} (median of pairs), aim ≥ 0.85`);
console.log(`${line('bare Express, the record without rights', plain)}   ratio ${ratio(plain)}`);
agent.destroy();
const exited = once(peer.child, 'exit');
peer.child.kill('SIGTERM');
await exited;
await server.stop();
await postgres.stop();
removeHome(home);
