import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PROCESSES_MARGIN } from './launch.ts';
import type { Breach, TaskLimits } from './task-limits.ts';

/** The cgroup of one task, in which the kernel limits memory and processes. */
export interface TaskCgroup {
  readonly folder: string;
  /** Number of processes and threads in it. */
  readonly processes: () => Promise<number>;
  /** The limit that the kernel enforced; null if none. */
  readonly breach: () => Promise<Breach | null>;
  /** Kills all its processes at once. */
  readonly kill: () => Promise<void>;
  /** Kills the remaining processes and removes the cgroup. */
  readonly close: () => Promise<void>;
}

/** Milliseconds between two checks whether killed processes are gone, and the number of checks. */
const EMPTY_PAUSE_MS = 5;
const MAX_EMPTY_POLLS = 400;

/** Creates a cgroup below the worker's, with the task's limits. */
export async function createTaskCgroup(base: string, id: string, limits: TaskLimits): Promise<TaskCgroup> {
  const folder = join(base, `svc-task-${id}`);
  const set = (file: string, value: string) => writeFile(join(folder, file), value);
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  await mkdir(folder);
  try {
    if (limits.memory !== null) {
      await set('memory.max', String(limits.memory));
      // Otherwise a task would continue in swap. Kernels without swap don't have this file.
      await set('memory.swap.max', '0').catch(ignoreMissing);
      // The kernel kills the whole task, and not a single process that the others wait for.
      await set('memory.oom.group', '1');
    }
    if (limits.processes !== null) await set('pids.max', String(limits.processes + PROCESSES_MARGIN));
  } catch (error) {
    await rmdir(folder);
    throw error;
  }
  const events = async (file: string, name: string) => countOf(await read(file), name);
  return {
    folder,
    processes: async () => Number(await read('pids.current')),
    async breach() {
      const { memory, processes } = limits;
      if (
        memory !== null &&
        (await events('memory.events', 'oom')) > 0 &&
        (await events('memory.events', 'oom_kill')) > 0
      )
        return { limit: 'memory', bound: memory, measured: null };
      if (processes !== null && (await events('pids.events', 'max')) > 0)
        return { limit: 'processes', bound: processes, measured: null };
      return null;
    },
    kill: () => killAll(folder),
    async close() {
      for (let polls = 0; polls < MAX_EMPTY_POLLS; polls++) {
        if (countOf(await read('cgroup.events'), 'populated') === 0) break;
        await killAll(folder);
        await setTimeout(EMPTY_PAUSE_MS);
      }
      await rmdir(folder);
    },
  };
}

async function killAll(folder: string): Promise<void> {
  try {
    await writeFile(join(folder, 'cgroup.kill'), '1');
  } catch (error) {
    ignoreMissing(error as NodeJS.ErrnoException);
    // Kernels before 5.14: kill them one by one until none is left.
    for (const pid of (await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n')) {
      if (pid !== '' && pid !== '0') kill(Number(pid));
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited.
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Reads a counter from lines such as `oom_kill 1`. */
export function countOf(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}
