import { setTimeout } from 'node:timers/promises';
import { type Isolation, runIsolated, type SandboxPaths } from '../isolation/index.ts';
import type { ChildOptions, ChildResult, WatchedChild } from '../programs/child-process.ts';
import type { Enforcement } from './find-enforcement.ts';
import { enterFirst, type RelayProcess, withRlimits } from './launch.ts';
import { createTaskCgroup, type TaskCgroup } from './task-cgroup.ts';
import type { Breach } from './task-limits.ts';
import { type TaskProcesses, taskProcesses } from './task-processes.ts';
import { breachOfDisk, type DiskUse, startWatchdog } from './watchdog.ts';

export interface Limited extends Omit<DiskUse, 'limits'> {
  readonly enforcement: Enforcement;
  /** The task's id; names its cgroup. */
  readonly id: string;
  /** The interpreter that sets resource limits. */
  readonly python: string;
  /** The relay to start in the sandbox. */
  readonly relay?: RelayProcess | null;
  /** Milliseconds between two measurements of the watchdog. */
  readonly periodMs: number;
  /** Receives errors of the limits themselves; the task continues. */
  readonly onError: (error: unknown) => void;
}

export interface LimitedResult extends ChildResult {
  /** The limit that the program exceeded, which made it fail. */
  readonly breach: Breach | null;
}

/** Milliseconds between two checks whether a sandbox is empty, and the number of checks. */
const EMPTY_PAUSE_MS = 5;
const MAX_EMPTY_POLLS = 400;

/** Runs a program to completion in a sandbox with limits. Kills the whole program if it exceeds one. Never rejects. */
export async function runLimited(
  { isolation, paths, limited }: { isolation: Isolation; paths: SandboxPaths; limited: Limited },
  options: ChildOptions,
): Promise<LimitedResult> {
  const { enforcement, onError } = limited;
  const cgroup = await openCgroup(limited);
  const program = withRlimits(options, limited.python, enforcement.limits, {
    countsProcesses: enforcement.countsProcesses,
    relay: limited.relay ?? null,
  });
  const found: { breach: Breach | null } = { breach: null };
  const result = await runIsolated(isolation, paths, {
    ...options,
    ...program,
    wrap: (whole) => enterFirst(whole, cgroup?.folder ?? null),
    watch: (child) =>
      watch(isolation, limited, cgroup, child, (breach) => {
        found.breach ??= breach;
      }),
  });
  const breach = found.breach ?? (await findFinalBreach(limited, cgroup, result).catch(report(onError, null)));
  await cgroup?.close().catch(onError);
  return { ...result, breach };
}

const report =
  <T>(onError: (error: unknown) => void, otherwise: T) =>
  (error: unknown): T => {
    onError(error);
    return otherwise;
  };

/** Without a cgroup, for example because it can't be created, the watchdog measures. */
async function openCgroup({ enforcement: { cgroup, limits }, id, onError }: Limited): Promise<TaskCgroup | null> {
  if (cgroup === null) return null;
  return createTaskCgroup(cgroup, id, limits).catch(report(onError, null));
}

function watch(
  isolation: Isolation,
  { enforcement: { limits, seesOpenFiles }, periodMs, onError, ...disk }: Limited,
  cgroup: TaskCgroup | null,
  child: WatchedChild,
  onBreach: (breach: Breach) => void,
): () => Promise<void> {
  const processes = process.platform === 'linux' ? taskProcesses(isolation, child.pid) : null;
  const watchdog = startWatchdog({
    limits,
    processes,
    seesOpenFiles,
    cgroup,
    ...disk,
    periodMs,
    onError,
    onBreach(breach) {
      onBreach(breach);
      void (cgroup?.kill() ?? processes?.killRemaining() ?? Promise.resolve()).catch(onError).finally(child.kill);
    },
  });
  return async () => {
    await watchdog.stop();
    if (isolation.kind === 'bubblewrap' && processes !== null) await empty(processes).catch(onError);
    await processes?.close().catch(onError);
  };
}

/** Waits for the kernel, which may still be killing the processes of a sandbox after bubblewrap has exited. */
async function empty(processes: TaskProcesses): Promise<void> {
  for (let polls = 0; polls < MAX_EMPTY_POLLS; polls++) {
    if (((await processes.list()) ?? []).length === 0) return;
    await setTimeout(EMPTY_PAUSE_MS);
  }
}

/** Finds what the watchdog missed: a limit that the kernel enforced, and the final disk usage. */
async function findFinalBreach(
  limited: Limited,
  cgroup: TaskCgroup | null,
  result: ChildResult,
): Promise<Breach | null> {
  if (result.outcome !== 'by-itself') return null;
  const { limits } = limited.enforcement;
  const refused = result.exitCode === 0 ? null : ((await cgroup?.breach()) ?? null);
  if (refused !== null) return refused;
  if (result.signal === 'SIGXFSZ' && limits.disk !== null) return { limit: 'disk', bound: limits.disk, measured: null };
  return breachOfDisk({ ...limited, limits }, 0);
}
