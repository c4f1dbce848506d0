// The folder of a test run's PostgreSQL: reads it, or removes it with its server, without the TypeScript sources.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The running server of the folder: process id and connection URL, or null. */
export function findServer(home) {
  try {
    const cluster = join(read(join(home, 'location')) ?? home, 'cluster');
    const [pid, , , port] = readFileSync(join(cluster, 'data/postmaster.pid'), 'utf8').split('\n');
    const password = read(join(cluster, 'password'));
    return { pid: Number(pid), url: `postgresql://svc:${password}@127.0.0.1:${port}/svc` };
  } catch {
    return null;
  }
}

/** Stops the server immediately, because its data isn't needed anymore, and removes the folder. */
export async function removeServer(home) {
  const server = findServer(home);
  for (let tries = 0; server && isPostgres(server.pid) && tries < 500; tries++) {
    if (tries === 0) process.kill(server.pid, 'SIGQUIT');
    await delay(10);
  }
  const moved = read(join(home, 'location'));
  if (moved) rmSync(moved, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}

function isPostgres(pid) {
  try {
    process.kill(pid, 0);
    // Empty for a process that has exited, but that its parent hasn't waited for yet.
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    return false;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
