import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A running server's entries in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads the pid file. Returns null if it is missing or incomplete. */
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

/** The server of this data folder if its process is alive; the pid file of a dead one doesn't count. */
export function livePostmaster(data: string): Postmaster | null {
  const found = readPostmaster(data);
  return found && serverAlive(found.pid) ? found : null;
}

/**
 * Removes a pid file whose process id now belongs to another program, after a reboot or kill -9. Postgres clears files
 * of dead processes itself, but refuses to start while the id is in use again.
 */
export function clearForeignPidFile(data: string): void {
  const found = readPostmaster(data);
  if (found && processAlive(found.pid) && !isPostgres(found.pid)) rmSync(join(data, 'postmaster.pid'), { force: true });
}

/** Whether the process exists and is Postgres. */
export function serverAlive(pid: number): boolean {
  return processAlive(pid) && isPostgres(pid);
}

/** Whether the process exists, regardless of its owner. */
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
    // Empty for a zombie, which has already released the data folder.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
    if (process.platform === 'win32') return true;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres');
  } catch {
    return false;
  }
}
