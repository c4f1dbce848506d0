import { folderSize } from './folder-size.ts';
import { forEachProcess, NO_OPEN_FILES, openFileUsage, sharedOnce } from './process-info.ts';
import type { TaskCgroup } from './task-cgroup.ts';
import type { Breach, TaskLimits } from './task-limits.ts';
import type { TaskProcesses } from './task-processes.ts';

/** What a program writes and how much of it is allowed; `limits` has the bytes. */
export interface DiskUse {
  readonly limits: TaskLimits;
  /** The folder that only this program writes to. */
  readonly folder: string;
  /** Maximum number of files and folders; if absent, there is no limit. */
  readonly maxFiles?: number;
  /** Finds what the program has added to folders that it shares. */
  readonly added?: () => Promise<readonly string[]>;
}

export interface WatchOptions extends DiskUse {
  /** Null if processes can't be seen; then only the disk is watched. */
  readonly processes: TaskProcesses | null;
  /** The worker sees the open files of all processes in the sandbox unless one hides them. */
  readonly seesOpenFiles: boolean;
  /** Null: sum up what the processes use. */
  readonly cgroup: TaskCgroup | null;
  /** Milliseconds between two measurements; a slow one is followed by a longer pause. */
  readonly periodMs: number;
  readonly onBreach: (breach: Breach) => void;
  /** Receives the error of a failed measurement; the next one still happens. */
  readonly onError: (error: unknown) => void;
}

export interface Watchdog {
  /** Stops and waits for the active measurement. */
  readonly stop: () => Promise<void>;
}

/** After a measurement, the pause is at least this many times as long as it took. */
const PAUSE_FACTOR = 10;
const LONGEST_PAUSE_MS = 10_000;

/** Measures a task's usage repeatedly and reports the first limit it exceeds. */
export function startWatchdog(options: WatchOptions): Watchdog {
  let openFiles = NO_OPEN_FILES;
  const stops = [
    repeat(options, async () => breachOfProcesses(options, openFiles.memory)),
    repeat(options, async () => {
      openFiles = await openFileUsage((await options.processes?.list()) ?? []);
      if (openFiles.isIncomplete && options.seesOpenFiles) return breachOfHidden(options);
      return breachOfDisk(options, openFiles.disk);
    }),
  ];
  return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

function repeat(
  { periodMs, onBreach, onError }: WatchOptions,
  check: () => Promise<Breach | null>,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay = Promise.resolve();
  const once = async (): Promise<void> => {
    const began = performance.now();
    const breach = await check().catch((error: unknown) => {
      onError(error);
      return null;
    });
    if (stopped) return;
    if (breach !== null) return onBreach(breach);
    const spent = (performance.now() - began) * PAUSE_FACTOR;
    timer = setTimeout(start, Math.min(Math.max(spent, periodMs), Math.max(LONGEST_PAUSE_MS, periodMs)));
  };
  const start = (): void => {
    underWay = once();
  };
  timer = setTimeout(start, periodMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
    return underWay;
  };
}

async function breachOfProcesses(options: WatchOptions, openFileMemory: number): Promise<Breach | null> {
  const { limits, processes, cgroup } = options;
  if (cgroup !== null) {
    const count = await cgroup.processes();
    return over('processes', limits.processes, count);
  }
  const folders = (await processes?.list()) ?? null;
  if (folders === null) return null;
  // Each process has at least one thread, so with too many processes there is no need to read them.
  const many = over('processes', limits.processes, folders.length);
  if (many !== null) return many;
  const own = new Map<string, number>();
  let [threads, sum, shared] = [0, 0, 0];
  await forEachProcess(folders, (facts, folder) => {
    threads += facts.threads;
    sum += facts.own;
    shared += facts.shared;
    own.set(folder, facts.own + facts.shared);
    return limits.processes === null || threads <= limits.processes;
  });
  const tooMany = over('processes', limits.processes, threads);
  if (tooMany !== null) return tooMany;
  const memory = over('memory', limits.memory, sum + Math.max(shared, openFileMemory));
  if (memory === null || folders.length < 2) return memory;
  // Forked processes share most of their memory, which a sum would count several times.
  const exact = await sharedOnce(folders, (folder) => own.get(folder) ?? 0);
  return over('memory', limits.memory, Math.max(exact, openFileMemory));
}

/** Deleted files and files in memory without an end could be among the hidden ones. */
function breachOfHidden({ limits, cgroup }: WatchOptions): Breach | null {
  const note = 'One of its processes hides its open files, so their size is unknown.';
  if (limits.disk !== null) return { limit: 'disk', bound: limits.disk, measured: null, note };
  if (limits.memory === null || cgroup !== null) return null;
  return { limit: 'memory', bound: limits.memory, measured: null, note };
}

/** Checks the disk usage of a program, including deleted files that are still open. */
export async function breachOfDisk(
  { limits, folder, maxFiles, added }: DiskUse,
  openFileDisk: number,
): Promise<Breach | null> {
  if (limits.disk === null && maxFiles === undefined) return null;
  const bound = limits.disk ?? Number.POSITIVE_INFINITY;
  const folders = [folder, ...((await added?.()) ?? [])];
  const { bytes, files, unmeasured } = await folderSize(folders, bound - openFileDisk, maxFiles);
  if (unmeasured !== null) {
    const note = `Its folder contains ${unmeasured}, so its size is unknown.`;
    return { limit: 'disk', bound, measured: null, note };
  }
  if (maxFiles !== undefined && files > maxFiles)
    return { limit: 'disk', bound: maxFiles, measured: null, counts: 'files' };
  return over('disk', limits.disk, bytes + openFileDisk);
}

const over = (limit: Breach['limit'], bound: number | null, measured: number): Breach | null =>
  bound !== null && measured > bound ? { limit, bound, measured } : null;
