// Resident memory of the idle service, in processes of their own: the server, and the worker with its spare child.
// Aims: 200 MB and 300 MB.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '@svc/db/embedded';
import {
  appProgram,
  commandOf,
  descendants,
  megabytes,
  memoryOf,
  newHome,
  removeHome,
  startProgram,
  startStandalone,
  withoutSettings,
} from '../service/service.ts';

const IDLE_MS = Number(process.argv[2] ?? 5000);
const idle = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS));

function print(name: string, pids: readonly number[], aim?: number): void {
  const found = pids.flatMap((pid) => memoryOf(pid) ?? []);
  if (found.length === 0) {
    console.log(`${name}: this system does not tell`);
    return;
  }
  const sum = (key: 'resident' | 'proportional') => megabytes(found.reduce((total, one) => total + one[key], 0));
  const aimed = aim === undefined ? '' : `, aim ≤ ${aim} MB`;
  console.log(`${name.padEnd(34)} ${sum('resident')} resident, ${sum('proportional')} proportional${aimed}`);
}

const log = { info() {}, warn() {}, error() {}, debug() {} };
const home = newHome();
const postgres = await startEmbedded({ dataDir: join(home, 'postgres'), log: log as never });
const shared = {
  SVC_DATABASE_URL: postgres.url,
  SVC_STORAGE__LOCATION: join(home, 'warehouse'),
  SVC_SECRETS__KEY: Buffer.alloc(32, 1).toString('base64'),
};
const server = await startProgram('server', home, shared);
const worker = spawn(process.execPath, [appProgram('worker')], {
  env: { ...withoutSettings(), ...shared, SVC_HOME: home, SVC_PUBLIC_URL: server.url, SVC_LOG__LEVEL: 'error' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
// Its spare child is the last thing that a worker starts.
while (existsSync('/proc') && descendants(worker.pid!).length === 0) await idle();
await idle();
print('server', [server.pid], 200);
const children = descendants(worker.pid!);
print('worker', [worker.pid!]);
print('worker with its spare child', [worker.pid!, ...children], 300);
const ended = once(worker, 'exit');
worker.kill('SIGTERM');
await ended;
await server.stop();
await postgres.stop();
removeHome(home);

const other = newHome();
const standalone = await startStandalone(other);
await idle();
const below = descendants(standalone.pid);
print('standalone, all in one', [standalone.pid]);
print('  with its spare child', [standalone.pid, ...below.filter((pid) => /child\.js/.test(commandOf(pid)))]);
await standalone.stop();
removeHome(other);
