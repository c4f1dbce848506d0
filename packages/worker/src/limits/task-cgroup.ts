import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PROCESSES_MARGIN } from './launch.ts';
import type { Breach, TaskLimits } from './task-limits.ts';

/** The cgroup of one task: the kernel bounds its memory and processes. */
export interface TaskCgroup {
  readonly folder: string;
  /** Processes and threads in it. */
  readonly processes: () => Promise<number>;
  /** The limit that the kernel enforced; null when it enforced none. */
  readonly breach: () => Promise<Breach | null>;
  /** Kills all that is in it at once. */
  readonly kill: () => Promise<void>;
  /** Kills what is left in it and removes it. */
  readonly close: () => Promise<void>;
}

/** Milliseconds between two looks whether killed processes are gone, and looks. */
const EMPTY_PAUSE_MS = 5;
const EMPTY_LOOKS = 400;

/** A cgroup below the worker's, with the task's limits. */
export async function createTaskCgroup(base: string, id: string, limits: TaskLimits): Promise<TaskCgroup> {
  const folder = join(base, `svc-task-${id}`);
  const set = (file: string, value: string) => writeFile(join(folder, file), value);
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  await mkdir(folder);
  try {
    if (limits.memory !== null) {
      await set('memory.max', String(limits.memory));
      // Else a task would go on in swap. Kernels without swap have no such file.
      await set('memory.swap.max', '0').catch(ignoreMissing);
      // All of the task is ended, and not a process that the rest waits for.
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
      for (let looks = 0; looks < EMPTY_LOOKS; looks++) {
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
    // Kernels before 5.14: one by one, until none is left.
    for (const pid of (await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n')) {
      if (pid !== '' && pid !== '0') kill(Number(pid));
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** A counter of a file of lines such as `oom_kill 1`. */
export function countOf(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}
