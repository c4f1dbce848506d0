import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@svc/core/settings';
import { logFileOf } from './terminal-log.ts';

const READY_MS = 60_000;
const POLL_MS = 100;

const pidFile = (settings: Settings) => join(resolve(settings.home), 'pid');

/** The URL of the service with these settings. */
export function addressOf(settings: Settings): string {
  const { host, port } = settings.listen;
  return settings.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    (response) => response.ok,
    () => false,
  );
}

/** Starts the service so that it outlives this process; its output goes to `$SVC_HOME/service.log`. */
export async function startInBackground(settings: Settings, url: string): Promise<void> {
  const home = resolve(settings.home);
  mkdirSync(home, { recursive: true });
  const logFile = logFileOf(settings);
  const log = openSync(logFile, 'a');
  const main = fileURLToPath(new URL('./bundle/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], { detached: true, stdio: ['ignore', log, log] });
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  const deadline = performance.now() + READY_MS;
  while (!(await isReady(url))) {
    if (exited || performance.now() > deadline) {
      throw new Error(`the service didn't start: ${lastLine(logFile)} (full log: ${logFile})`);
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  child.unref();
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '';
}

/**
 * Writes the process id for `npm run stop`, and when the process started. If another service runs on the same home folder, the
 * file remains that service's.
 */
export function writePid(settings: Settings): void {
  if (readPid(settings) !== null) return;
  mkdirSync(resolve(settings.home), { recursive: true });
  writeFileSync(pidFile(settings), `${process.pid} ${startOf(process.pid)}\n`, { mode: 0o600 });
}

/** Removes the file of this process. */
export function removePid(settings: Settings): void {
  if (readPid(settings) !== process.pid) return;
  rmSync(pidFile(settings), { force: true });
}

/**
 * The process that runs the service of this home folder, or null. A service that was killed leaves its pid file, and after a
 * reboot the id may belong to another program.
 */
export function readPid(settings: Settings): number | null {
  try {
    const [pid = '', ...start] = readFileSync(pidFile(settings), 'utf8').trim().split(' ');
    return startOf(Number(pid)) === start.join(' ') ? Number(pid) : null;
  } catch {
    return null;
  }
}

/** When a process started, in the form of the operating system. Throws if there is no such process. */
function startOf(pid: number): string {
  process.kill(pid, 0);
  if (process.platform === 'win32') return '';
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  // The name of the program, in parentheses, can contain anything. The start, in clock ticks, is the twentieth field after it.
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19]!;
}
