import { open, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 100;
const BEAT_MS = 5_000;
/** A holder that has given no sign for so long was killed. */
const STALE_MS = 30_000;

/**
 * Does something while no other process that shares the folder does it: one holds the lock file and gives signs of life,
 * the others wait. A killed holder's lock is taken over.
 */
export async function underLock<T>(file: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  while (!(await take(file))) {
    signal?.throwIfAborted();
    await pause(LOOK_MS);
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS);
  try {
    return await act();
  } finally {
    clearInterval(beat);
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const held = await stat(file).catch(() => null);
  if (held !== null && Date.now() - held.mtimeMs > STALE_MS) {
    // Of several that find it stale one moves it away; whoever makes it anew holds it.
    const aside = `${file}-stale-${process.pid}`;
    await rename(file, aside).then(
      () => rm(aside, { force: true }),
      () => {},
    );
  }
  return false;
}
