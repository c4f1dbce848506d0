import { readFileSync } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { processesIn } from './process-facts.ts';

/** Finds the processes of one task, each time anew. */
export interface TaskProcesses {
  /** Their folders in a `/proc`; null while the task has not got that far. */
  readonly list: () => Promise<string[] | null>;
  /** Ends what a signal to the process group doesn't reach. */
  readonly killRest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * The processes of a sandbox by its own `/proc`, which shows its process namespace alone: whatever they start or leave,
 * none is missed, and the number of a process that ended can't lead to a stranger.
 * @param pid of bubblewrap outside of the sandbox, which nobody has waited for yet
 */
export function sandboxProcesses(pid: number): TaskProcesses {
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
        // One at a time: of two that were opened one would stay open.
        found.opening ??= open();
        await found.opening;
      }
      // Of a bubblewrap with more rights than the worker: what leaves its parent still gets one in the sandbox's tree.
      if (found.denied) return treeProcesses(pid).list();
      if (found.proc === null) return null;
      const folder = `/proc/self/fd/${found.proc.fd}`;
      // The first process is bubblewrap's own.
      return processesIn(folder)
        .filter((name) => name !== '1')
        .map((name) => join(folder, name));
    },
    async killRest() {
      // With its first process the kernel ends the namespace. It has left bubblewrap's group.
      for (const child of await childrenOf(pid).catch((): string[] => [])) signal(Number(child), 'SIGKILL');
    },
    close: async () => found.proc?.close(),
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended, or runs a program of another account.
  }
}

const childrenOf = async (pid: number): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter((name) => name !== '');

const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The `/proc` that the first process of a sandbox sees; null before there is one. */
async function openNamespace(pid: number): Promise<FileHandle | 'denied' | null> {
  for (const child of await childrenOf(pid).catch((): string[] => [])) {
    const handle = await open(`/proc/${child}/root/proc`, 'r').catch((error: unknown) =>
      isDenied(error) ? 'denied' : null,
    );
    if (handle === 'denied') return handle;
    if (handle === null) continue;
    // Until the sandbox is complete its first process still sees the worker's.
    const own = (await handle.stat()).dev === (await stat('/proc')).dev;
    const still = (await childrenOf(pid).catch((): string[] => [])).includes(child);
    if (!own && still) return handle;
    await handle.close();
  }
  return null;
}

interface Stat {
  readonly pid: number;
  /** It has ended, and its parent has not taken note of it. */
  readonly ended: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Since the machine's start: tells a process from a later one of the same number. */
  readonly started: string;
}

export function parseStat(text: string): Stat {
  // The name in parentheses may hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number.parseInt(text, 10),
    ended: fields[0] === 'Z' || fields[0] === 'X',
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
/** Times that what has left the group is looked for again, for it may fork until it is killed. */
const MAX_ROUNDS = 50;

/** Descendants of a process, and what is in its process group or session. */
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
 * The processes of a task without a sandbox: the tree below its first process, its process group and session. What
 * leaves all three is not found.
 */
export function treeProcesses(pid: number): TaskProcesses {
  return {
    list: async () => (await treeOf(pid)).map((one) => `/proc/${one.pid}`),
    async killRest() {
      // What is stopped forks no more, and stays the parent of what is to be found.
      signal(-pid, 'SIGSTOP');
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) if ((await killOutside(pid)) === 0) return;
    },
    close: async () => {},
  };
}

/** Kills what is in the tree of a process and has left its group; how many there were. */
async function killOutside(pid: number): Promise<number> {
  const outside = (await treeOf(pid)).filter((one) => one.group !== pid && !one.ended);
  // Read again, so that a number that went to another process meanwhile is left alone.
  for (const one of outside) if (statOf(String(one.pid))?.started === one.started) signal(one.pid, 'SIGKILL');
  return outside.length;
}
