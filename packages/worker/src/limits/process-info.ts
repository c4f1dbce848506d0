import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export interface ProcessInfo {
  readonly threads: number;
  /** Private memory, including swapped out memory. */
  readonly own: number;
  /** Memory shared with other processes that isn't backed by a file. */
  readonly shared: number;
}

/** Processes read before other work of this process can run. */
const AT_ONCE = 100;

const numeric = /^\d+$/;

/** Process ids in a `/proc`; empty if it no longer exists. */
export function processesIn(proc: string): string[] {
  try {
    return readdirSync(proc).filter((name) => numeric.test(name));
  } catch {
    return [];
  }
}

/** Calls `visit` for every process until it returns false. Processes that have exited are skipped. */
export async function forEachProcess(
  folders: readonly string[],
  visit: (facts: ProcessInfo, folder: string) => boolean,
): Promise<void> {
  for (const [i, folder] of folders.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const facts = readProcessInfo(folder);
    if (facts !== null && !visit(facts, folder)) return;
  }
}

// The kernel prints counters without waiting for the process, so a synchronous read never blocks.
function readProcessInfo(folder: string): ProcessInfo | null {
  try {
    return parseStatus(readFileSync(join(folder, 'status'), 'utf8'));
  } catch {
    return null;
  }
}

export function parseStatus(text: string): ProcessInfo {
  return {
    threads: numberAfter(text, 'Threads') ?? 1,
    own: ((numberAfter(text, 'RssAnon') ?? 0) + (numberAfter(text, 'VmSwap') ?? 0)) * 1024,
    shared: (numberAfter(text, 'RssShmem') ?? 0) * 1024,
  };
}

/**
 * Reads the number on the line with this name. The first line holds the program's name, in which line breaks are
 * escaped.
 */
function numberAfter(text: string, name: string): number | null {
  const at = text.indexOf(`\n${name}:`);
  return at < 0 ? null : Number.parseInt(text.slice(at + name.length + 2), 10);
}

/**
 * Bytes of the processes' memory, with shared memory counted once. A process that may not be read counts as `otherwise`,
 * and one that has exited counts nothing: what it shared would otherwise count again.
 */
export async function sharedOnce(folders: readonly string[], otherwise: (folder: string) => number): Promise<number> {
  let sum = 0;
  for (const folder of folders) {
    const text = await readFile(join(folder, 'smaps_rollup'), 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ESRCH' ? '' : null,
    );
    // The kernel prints nothing for a process that is exiting.
    if (text === '') continue;
    sum += (text === null ? null : parseRollup(text)) ?? otherwise(folder);
  }
  return sum;
}

/** Null for kernels before 5.4, which don't report the part that isn't backed by a file. */
export function parseRollup(text: string): number | null {
  const anonymous = numberAfter(text, 'Pss_Anon');
  if (anonymous === null) return null;
  return (anonymous + (numberAfter(text, 'Pss_Shmem') ?? 0) + (numberAfter(text, 'SwapPss') ?? 0)) * 1024;
}

/** Unnamed files that processes have open: bytes in memory, and on disk. */
export interface OpenFileUsage {
  readonly memory: number;
  readonly disk: number;
  /** A process doesn't let this one see its open files, for example because it called `prctl(PR_SET_DUMPABLE, 0)`. */
  readonly isIncomplete: boolean;
}

export const NO_OPEN_FILES: OpenFileUsage = { memory: 0, disk: 0, isIncomplete: false };

/** Measures files that were deleted while open, and files in memory: both use space that a folder walk doesn't find. */
export async function openFileUsage(processes: readonly string[]): Promise<OpenFileUsage> {
  const seen = new Set<string>();
  const usage = { ...NO_OPEN_FILES };
  for (const folder of processes) {
    const unread = async (error: unknown): Promise<null> => {
      usage.isIncomplete ||= isDenied(error) && (await hasMemory(folder));
      return null;
    };
    const fds = (await readdir(join(folder, 'fd')).catch(unread)) ?? [];
    for (const fd of fds) {
      const path = join(folder, 'fd', fd);
      const target = await readlink(path).catch(unread);
      if (!target?.endsWith(' (deleted)')) continue;
      const stats = await stat(path).catch(() => null);
      if (!stats?.isFile() || seen.has(`${stats.dev}:${stats.ino}`)) continue;
      seen.add(`${stats.dev}:${stats.ino}`);
      usage[target.startsWith('/memfd:') ? 'memory' : 'disk'] += stats.blocks * 512;
    }
  }
  return usage;
}

/** False for a process that is exiting, whose files newer kernels show to nobody: it has none, or closes them. */
async function hasMemory(folder: string): Promise<boolean> {
  const status = await readFile(join(folder, 'status'), 'utf8').catch(() => '');
  return numberAfter(status, 'VmSize') !== null;
}

export const isDenied = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
