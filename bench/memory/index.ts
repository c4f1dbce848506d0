// Resident memory of the idle service, in processes of their own: the server, and the worker with its preforked child.
// Aims: 200 MB and 300 MB.

import { existsSync } from 'node:fs';
import { startParts } from '../service/apart.ts';
import {
  commandOf,
  descendants,
  megabytes,
  memoryOf,
  newHome,
  removeHome,
  startStandalone,
} from '../service/service.ts';

const IDLE_MS = Number(process.argv[2] ?? 5000);
const idle = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS));

function print(name: string, pids: readonly number[], target?: number): void {
  const found = pids.map(memoryOf).filter(({ resident }) => resident > 0);
  if (found.length === 0) {
    console.log(`${name}: not available on this system`);
    return;
  }
  const sum = (key: 'resident' | 'proportional') => megabytes(found.reduce((total, one) => total + one[key], 0));
  const aimed = target === undefined ? '' : `, aim ≤ ${target} MB`;
  console.log(`${name.padEnd(34)} ${sum('resident')} resident, ${sum('proportional')} proportional${aimed}`);
}

const home = newHome();
const { server, workerPid, stop } = await startParts(home);
// A worker starts its preforked child last.
while (existsSync('/proc') && descendants(workerPid).length === 0) await idle();
await idle();
print('server', [server.pid], 200);
const children = descendants(workerPid);
print('worker', [workerPid]);
print('worker with its preforked child', [workerPid, ...children], 300);
await stop();
removeHome(home);

const other = newHome();
const standalone = await startStandalone(other);
await idle();
const below = descendants(standalone.pid);
print('standalone, all in one', [standalone.pid]);
print('  with its preforked child', [standalone.pid, ...below.filter((pid) => /child\.js/.test(commandOf(pid)))]);
await standalone.stop();
removeHome(other);
