import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** What one process uses, as `/proc/PID/status` reports it. Memory is in bytes. */
export interface ProcessFacts {
  readonly threads: number;
  /** Memory of its own, swapped out memory included. */
  readonly own: number;
  /** Memory shared with others that no file holds. */
  readonly shared: number;
}

/** Processes that are read before other work of this process gets its turn. */
const AT_ONCE = 100;

const numeric = /^\d+$/;

/** Names of the processes in a `/proc`; none if it is gone. */
export function processesIn(proc: string): string[] {
  try {
    return readdirSync(proc).filter((name) => numeric.test(name));
  } catch {
    return [];
  }
}

/** Calls back for each process with its facts until that returns false; those that ended are skipped. */
export async function eachProcess(
  folders: readonly string[],
  visit: (facts: ProcessFacts, folder: string) => boolean,
): Promise<void> {
  for (const [i, folder] of folders.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const facts = factsOf(folder);
    if (facts !== null && !visit(facts, folder)) return;
  }
}

// The kernel prints counters without waiting for the process, so a synchronous read never blocks.
function factsOf(folder: string): ProcessFacts | null {
  try {
    return parseStatus(readFileSync(join(folder, 'status'), 'utf8'));
  } catch {
    return null;
  }
}

export function parseStatus(text: string): ProcessFacts {
  return {
    threads: numberAfter(text, 'Threads') ?? 1,
    own: ((numberAfter(text, 'RssAnon') ?? 0) + (numberAfter(text, 'VmSwap') ?? 0)) * 1024,
    shared: (numberAfter(text, 'RssShmem') ?? 0) * 1024,
  };
}

/** The number on the line of a name. The name of the program, on the first line, has its line breaks escaped. */
function numberAfter(text: string, name: string): number | null {
  const at = text.indexOf(`\n${name}:`);
  return at < 0 ? null : Number.parseInt(text.slice(at + name.length + 2), 10);
}

/** Bytes of the processes' memory, what they share counted once; a process that can't be read counts as `otherwise`. */
export async function sharedOnce(folders: readonly string[], otherwise: (folder: string) => number): Promise<number> {
  let sum = 0;
  for (const folder of folders) {
    const text = await readFile(join(folder, 'smaps_rollup'), 'utf8').catch(() => null);
    sum += (text === null ? null : parseRollup(text)) ?? otherwise(folder);
  }
  return sum;
}

/** Null for a kernel before 5.4, which doesn't report what of it no file holds. */
export function parseRollup(text: string): number | null {
  const anonymous = numberAfter(text, 'Pss_Anon');
  if (anonymous === null) return null;
  return (anonymous + (numberAfter(text, 'Pss_Shmem') ?? 0) + (numberAfter(text, 'SwapPss') ?? 0)) * 1024;
}

/** Bytes of files without a name that processes hold open: in memory, and on disk. */
export interface HeldFiles {
  readonly memory: number;
  readonly disk: number;
}

/** Files that were deleted while open take space that no walk of a folder finds; so do files in memory. */
export async function heldFiles(processes: readonly string[]): Promise<HeldFiles> {
  const seen = new Set<string>();
  const held = { memory: 0, disk: 0 };
  for (const folder of processes) {
    const fds = await readdir(join(folder, 'fd')).catch(() => []);
    for (const fd of fds) {
      const path = join(folder, 'fd', fd);
      const target = await readlink(path).catch(() => '');
      if (!target.endsWith(' (deleted)')) continue;
      const stats = await stat(path).catch(() => null);
      if (!stats?.isFile() || seen.has(`${stats.dev}:${stats.ino}`)) continue;
      seen.add(`${stats.dev}:${stats.ino}`);
      held[target.startsWith('/memfd:') ? 'memory' : 'disk'] += stats.blocks * 512;
    }
  }
  return held;
}
