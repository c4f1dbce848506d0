import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '@svc/lake/queries';

const POLL_MS = 100;
const HEARTBEAT_MS = 5_000;
/** A lock owner on another machine that has shown no activity for this long is considered killed. */
const STALE_MS = 30_000;

/**
 * Calls `work` while no other build writes to the same cache, so that what appears in it is what this build adds. Builds of one
 * Python environment find each other's result.
 */
export const withBuildLock = <T>(envRoot: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  withLock(join(envRoot, '.lock-builds'), work, signal);

/**
 * Calls `work` while no other process that shares the folder does the same. The owner of the lock file refreshes it
 * regularly; the others wait. The lock of a killed owner is taken over: immediately if it ran on this machine.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const ownerId = `${hostname()} ${process.pid} ${randomUUID()}`;
  while (!(await tryLock(file, ownerId))) {
    signal?.throwIfAborted();
    await pause(POLL_MS);
  }
  const heartbeat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readOwner(file)) === ownerId) await rm(file, { force: true });
  }
}

async function tryLock(file: string, ownerId: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(ownerId).finally(() => handle.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = await readOwner(file);
  if (owner !== null && (await isStale(file, owner))) await removeStaleLock(file, owner, ownerId);
  return false;
}

const readOwner = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

async function isStale(file: string, owner: string): Promise<boolean> {
  const [host, pid] = owner.split(' ');
  if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
  const stats = await stat(file).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > STALE_MS;
}

/** Moves a dead owner's lock away. If another process took it over in between, the lock is put back. */
async function removeStaleLock(file: string, staleOwner: string, ownerId: string): Promise<void> {
  const movedFile = `${file}-aside-${ownerId.slice(ownerId.lastIndexOf(' ') + 1)}`;
  try {
    await rename(file, movedFile);
    if ((await readOwner(movedFile)) !== staleOwner) await link(movedFile, file);
  } catch {
    // Another process was faster.
  }
  await rm(movedFile, { force: true });
}
