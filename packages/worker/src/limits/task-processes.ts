import { readFileSync } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Isolation } from '../isolation/index.ts';
import { isDenied, processesIn } from './process-info.ts';

/** Finds the processes of one task. Each call looks for them again. */
export interface TaskProcesses {
  /** Their folders in a `/proc`; null while the task is still starting. */
  readonly list: () => Promise<string[] | null>;
  /** Kills what a signal to the process group doesn't reach. */
  readonly killRemaining: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param pid of the first process of a program in this isolation, which hasn't been waited for yet */
export const taskProcesses = (isolation: Isolation, pid: number): TaskProcesses =>
  isolation.kind === 'bubblewrap' ? sandboxProcesses(pid) : treeProcesses(pid);

/**
 * Finds the processes of a sandbox in its own `/proc`, which shows only its process namespace. No process can escape
 * it, and a reused process id can't lead to a process outside.
 * @param pid of bubblewrap outside the sandbox, which hasn't been waited for yet
 */
function sandboxProcesses(pid: number): TaskProcesses {
  const found: { proc: FileHandle | null; opening: Promise<void> | null; denied: boolean } = {
    proc: null,
    opening: null,
    denied: false,
  };
  const open = async (): Promise<void> => {
    const proc = await openNamespace(pid);
    found.denied = proc === 'denied';
    found.proc = proc === 'denied' ? null : proc;
    found.opening = null;
  };
  return {
    async list() {
      if (found.proc === null) {
        // Only one at a time: a second open handle would never be closed.
        found.opening ??= open();
        await found.opening;
      }
      // bubblewrap has more rights than the worker. A process that leaves its parent still becomes a child in the
      // sandbox's tree.
      if (found.denied) return treeProcesses(pid).list();
      if (found.proc === null) return null;
      const folder = `/proc/self/fd/${found.proc.fd}`;
      // Process 1 is bubblewrap's own.
      return processesIn(folder)
        .filter((name) => name !== '1')
        .map((name) => join(folder, name));
    },
    async killRemaining() {
      // When its first process dies, the kernel ends the namespace. That process isn't in bubblewrap's group.
      for (const child of await childrenOf(pid).catch((): string[] => [])) signal(Number(child), 'SIGKILL');
    },
    close: async () => found.proc?.close(),
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited, or runs a program of another account.
  }
}

const childrenOf = async (pid: number): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter((name) => name !== '');

/** Opens the `/proc` that the first process of a sandbox sees; null while the sandbox has no process. */
async function openNamespace(pid: number): Promise<FileHandle | 'denied' | null> {
  for (const child of await childrenOf(pid).catch((): string[] => [])) {
    const handle = await open(`/proc/${child}/root/proc`, 'r').catch((error: unknown) =>
      isDenied(error) ? 'denied' : null,
    );
    if (handle === 'denied') return handle;
    if (handle === null) continue;
    // Until the sandbox is complete, its first process still sees the worker's `/proc`.
    const own = (await handle.stat()).dev === (await stat('/proc')).dev;
    const isStillChild = (await childrenOf(pid).catch((): string[] => [])).includes(child);
    if (!own && isStillChild) return handle;
    await handle.close();
  }
  return null;
}

interface Stat {
  readonly pid: number;
  /** It has exited, and its parent hasn't waited for it yet. */
  readonly exited: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Time since boot: distinguishes a process from a later one with the same id. */
  readonly started: string;
}

export function parseStat(text: string): Stat {
  // The name in parentheses may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number.parseInt(text, 10),
    exited: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    started: fields[19] ?? '',
  };
}

function statOf(name: string): Stat | null {
  try {
    return parseStat(readFileSync(`/proc/${name}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

const READ_AT_ONCE = 200;
/** How often to look again for processes outside the group, because they can fork until they are killed. */
const MAX_ROUNDS = 50;

/** Descendants of a process, and the processes in its group or session. */
async function treeOf(pid: number): Promise<Stat[]> {
  const all: Stat[] = [];
  for (const [i, name] of processesIn('/proc').entries()) {
    if (i % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
    const found = statOf(name);
    if (found !== null) all.push(found);
  }
  const tree = new Set([pid]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const one of all) if (one.group === pid || one.session === pid || tree.has(one.parent)) tree.add(one.pid);
  }
  return all.filter((one) => tree.has(one.pid));
}

/**
 * Finds the processes of a task without a sandbox: descendants of its first process, its process group and session. A
 * process that leaves all three isn't found.
 */
function treeProcesses(pid: number): TaskProcesses {
  return {
    list: async () => (await treeOf(pid)).map((one) => `/proc/${one.pid}`),
    async killRemaining() {
      // A stopped process can't fork, and remains the parent of the processes to find.
      signal(-pid, 'SIGSTOP');
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) if ((await killUntracked(pid)) === 0) return;
    },
    close: async () => {},
  };
}

/** Kills the processes in a process's tree that have left its group. Returns their number. */
async function killUntracked(pid: number): Promise<number> {
  const outside = (await treeOf(pid)).filter((one) => one.group !== pid && !one.exited);
  // Read again, so that a process that reused the id in between isn't killed.
  for (const one of outside) if (statOf(String(one.pid))?.started === one.started) signal(one.pid, 'SIGKILL');
  return outside.length;
}
