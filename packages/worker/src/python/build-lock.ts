import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 100;
const BEAT_MS = 5_000;
/** A lock owner on another machine that has shown no activity for this long is considered killed. */
const STALE_MS = 30_000;

/**
 * Calls `act` while no other process that shares the folder does the same. The owner of the lock file refreshes it
 * regularly; the others wait. The lock of a killed owner is taken over: immediately if it ran on this machine.
 */
export async function underLock<T>(file: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const mark = `${hostname()} ${process.pid} ${randomUUID()}`;
  while (!(await take(file, mark))) {
    signal?.throwIfAborted();
    await pause(LOOK_MS);
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS);
  try {
    return await act();
  } finally {
    clearInterval(beat);
    if ((await markOf(file)) === mark) await rm(file, { force: true });
  }
}

async function take(file: string, mark: string): Promise<boolean> {
  try {
    const made = await open(file, 'wx');
    await made.writeFile(mark).finally(() => made.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const held = await markOf(file);
  if (held !== null && (await isDead(file, held))) await setAside(file, held, mark);
  return false;
}

const markOf = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

async function isDead(file: string, held: string): Promise<boolean> {
  const [host, pid] = held.split(' ');
  if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
  const stats = await stat(file).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Moves a dead owner's lock away. If another process took it over in between, the lock is put back. */
async function setAside(file: string, dead: string, mark: string): Promise<void> {
  const aside = `${file}-aside-${mark.slice(mark.lastIndexOf(' ') + 1)}`;
  try {
    await rename(file, aside);
    if ((await markOf(aside)) !== dead) await link(aside, file);
  } catch {
    // Another process was faster.
  }
  await rm(aside, { force: true });
}
