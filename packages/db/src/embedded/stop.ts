import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ServerFiles, serverEnvironment } from './launch.ts';
import { serverAlive } from './postmaster.ts';

const GRACE_MS = 30_000;
const POLL_MS = 5;

/** Shuts the server down, which rolls open transactions back, and waits. A server that hangs is stopped immediately. */
export async function shutDown(files: ServerFiles, pid: number): Promise<void> {
  await signal(files, pid, 'SIGINT');
  if (await waitForExit(pid, GRACE_MS)) return;
  // An immediate shutdown loses nothing committed; the next start recovers.
  await signal(files, pid, 'SIGQUIT');
  await waitForExit(pid, GRACE_MS);
}

async function signal(files: ServerFiles, pid: number, name: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (process.platform === 'win32') {
    const mode = name === 'SIGINT' ? 'fast' : 'immediate';
    const args = ['stop', '--no-wait', '-D', files.data, '-m', mode];
    await promisify(execFile)(files.binaries.pgCtl, args, { env: serverEnvironment() }).catch(() => {});
    return;
  }
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitForExit(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (serverAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
