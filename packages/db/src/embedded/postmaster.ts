import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads the pid file; null when there is none or it is only half written. */
export function readPostmaster(data: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === 'ready' };
}

/** The server of this data folder if its process lives; a pid file left by a dead one does not count. */
export function livePostmaster(data: string): Postmaster | null {
  const found = readPostmaster(data);
  return found && serverAlive(found.pid) ? found : null;
}

/**
 * Removes a pid file whose process id now belongs to some other program (after a reboot or kill -9). PostgreSQL
 * itself clears files of dead processes, but refuses for ever when the number is in use again.
 */
export function clearForeignPidFile(data: string): void {
  const found = readPostmaster(data);
  if (found && processAlive(found.pid) && !isPostgres(found.pid)) rmSync(join(data, 'postmaster.pid'), { force: true });
}

/** Whether the process of that id exists and is PostgreSQL. */
export function serverAlive(pid: number): boolean {
  return processAlive(pid) && isPostgres(pid);
}

/** Whether a process of that id exists, whoever owns it. */
export function processAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPostgres(pid: number): boolean {
  try {
    // Empty for a zombie, which has released the data folder already.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
    if (process.platform === 'win32') return true;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres');
  } catch {
    return false;
  }
}
