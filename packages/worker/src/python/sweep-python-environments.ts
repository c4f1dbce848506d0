import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '@svc/lake/queries';
import { removeFolder } from '../limits/index.ts';
import { TASKS, workerOf } from './task-folders.ts';
import { CACHE_PREFIX } from './uv-process.ts';

export interface PythonEnvironmentSweep {
  /** The worker's folder, with Python environments, projects, deploys and tasks. */
  readonly workDir: string;
  readonly now: Date;
  /** Python environments and projects that haven't been used for this many milliseconds are removed. */
  readonly unusedMs: number;
  /** Maximum bytes for Python environments. Above it, the least recently used are removed. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

const HOUR_MS = 3_600_000;
/** No build, fetch or task preparation takes this long: older folders were left by a killed worker. */
const LEFTOVER_MAX_AGE_MS = 6 * HOUR_MS;
/** More recently used folders may be in use: a task runs for at most a week. */
const IN_USE_MS = 8 * 24 * HOUR_MS;

/**
 * Removes what builds, fetches and tasks of killed workers left behind, and unused Python environments and projects:
 * first by age, then by size, least recently used first. A folder's modification time is its last use. Folders are
 * moved away before they are deleted, so that nobody finds a partial one.
 */
export async function sweepPythonEnvironments(sweep: PythonEnvironmentSweep): Promise<Record<string, number>> {
  const { workDir } = sweep;
  const environments = join(workDir, 'environments');
  const projects = join(workDir, 'projects');
  let leftovers = await removeTaskFolders(sweep);
  for (const [folder, prefixes] of [
    [environments, ['.building-', '.home-', '.lock-', '.gone-']],
    [projects, ['.unpacking-', '.gone-']],
    [join(workDir, 'deploys'), ['deploy-']],
  ] as const) {
    leftovers += await removeLeftovers(sweep, folder, prefixes);
  }
  // uv unpacks wheels there, and leaves them when it is killed.
  for (const cache of (await entries(environments)).filter((found) => nameOf(found).startsWith(CACHE_PREFIX)))
    leftovers += await removeLeftovers(sweep, cache.path, ['.tmp']);
  const caches = await removeExpired(sweep, environments, CACHE_PREFIX);
  const expired = (await removeExpired(sweep, environments)) + (await removeExpired(sweep, projects));
  const large = await removeLargest(sweep, environments);
  return { leftovers, unused: caches + expired + large };
}

interface Found {
  path: string;
  usedMs: number;
}

async function entries(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats !== null) found.push({ path, usedMs: stats.mtimeMs });
  }
  return found;
}

const nameOf = ({ path }: Found) => path.slice(path.lastIndexOf('/') + 1);

async function removeLeftovers({ now, signal }: PythonEnvironmentSweep, folder: string, prefixes: readonly string[]) {
  let removed = 0;
  for (const found of await entries(folder)) {
    signal?.throwIfAborted();
    if (!prefixes.some((prefix) => nameOf(found).startsWith(prefix))) continue;
    if (now.getTime() - found.usedMs < LEFTOVER_MAX_AGE_MS) continue;
    await rm(found.path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** They can contain rows. A worker in a container can have the process id of the one before it, so age decides then. */
async function removeTaskFolders({ workDir, now, signal }: PythonEnvironmentSweep): Promise<number> {
  let removed = 0;
  for (const found of await entries(join(workDir, TASKS))) {
    signal?.throwIfAborted();
    const worker = workerOf(nameOf(found));
    const isUsed = worker === null || isAlive(worker);
    if (isUsed && now.getTime() - found.usedMs < IN_USE_MS) continue;
    await removeFolder(found.path);
    removed += 1;
  }
  return removed;
}

/** Removes old folders with this name prefix; without a prefix, all that aren't hidden. */
async function removeExpired(sweep: PythonEnvironmentSweep, folder: string, prefix?: string): Promise<number> {
  const { now, unusedMs, signal } = sweep;
  const before = now.getTime() - Math.max(unusedMs, IN_USE_MS);
  let removed = 0;
  for (const found of await entries(folder)) {
    signal?.throwIfAborted();
    const matches = prefix === undefined ? !nameOf(found).startsWith('.') : nameOf(found).startsWith(prefix);
    if (!matches || found.usedMs >= before) continue;
    if (await take(found, before)) removed += 1;
  }
  return removed;
}

async function removeLargest({ now, maxBytes, signal }: PythonEnvironmentSweep, folder: string): Promise<number> {
  const before = now.getTime() - IN_USE_MS;
  const sized: (Found & { bytes: number })[] = [];
  for (const found of await entries(folder)) {
    if (!nameOf(found).startsWith('.')) sized.push({ ...found, bytes: await bytesOf(found.path, signal) });
  }
  let total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  let removed = 0;
  for (const found of sized.sort((a, b) => a.usedMs - b.usedMs)) {
    signal?.throwIfAborted();
    if (total <= maxBytes || found.usedMs >= before) break;
    if (!(await take(found, before))) continue;
    total -= found.bytes;
    removed += 1;
  }
  return removed;
}

/** Moves a folder away and removes it, unless it was used in between. */
async function take({ path }: Found, before: number): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || stats.mtimeMs >= before) return false;
  const at = path.lastIndexOf('/');
  const aside = `${path.slice(0, at)}/.gone-${path.slice(at + 1)}-${process.pid}`;
  await rename(path, aside);
  await rm(aside, { recursive: true, force: true });
  return true;
}

/** Bytes on disk below a folder. A file with several hard links counts by its share. */
async function bytesOf(folder: string, signal: AbortSignal | undefined): Promise<number> {
  let bytes = 0;
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of all) {
    signal?.throwIfAborted();
    if (!entry.isFile()) continue;
    const stats = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    if (stats !== null) bytes += stats.size / Math.max(1, stats.nlink);
  }
  return bytes;
}
