import { type Isolation, isSandboxed, runIsolated } from '../isolation/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import { findCgroup } from './find-cgroup.ts';
import { NO_OPEN_FILES, openFileUsage } from './process-info.ts';
import type { EnforcedLimits, TaskLimits } from './task-limits.ts';
import { type TaskProcesses, taskProcesses } from './task-processes.ts';

/** How this machine enforces the limits of tasks; detected once. */
export interface Enforcement {
  readonly limits: TaskLimits;
  readonly by: EnforcedLimits;
  /** Folder in which each task gets a cgroup, or null. */
  readonly cgroup: string | null;
  /** The kernel counts a sandbox's processes separately from other processes of the account. */
  readonly countsProcesses: boolean;
  /** The worker sees the open files of processes in sandboxes, and counts the deleted ones and those in memory. */
  readonly seesOpenFiles: boolean;
  /** Which limits are enforced less strictly than possible, and why. */
  readonly notes: readonly string[];
}

export interface EnforcementOptions {
  readonly limits: TaskLimits;
  readonly isolation: Isolation;
  readonly python: InstalledTool | null;
  readonly platform: NodeJS.Platform;
  /** User id of this process; undefined on platforms without user ids. */
  readonly account: number | undefined;
}

const TIMEOUT_MS = 10_000;

// The worker's account has more than three other threads and processes, so counting them would fail the first fork.
const COUNT_SCRIPT = `import os, resource, signal, sys
resource.setrlimit(resource.RLIMIT_NPROC, (3, 3))
children = []
try:
    for _ in range(4):
        child = os.fork()
        if child == 0:
            signal.pause()
        children.append(child)
except OSError:
    pass
for child in children:
    os.kill(child, signal.SIGKILL)
print(len(children))
`;

/** Detects how this machine enforces each limit; nothing is assumed. */
export async function findEnforcement(options: EnforcementOptions): Promise<Enforcement> {
  const { limits, isolation, python, platform } = options;
  const linux = platform === 'linux';
  const isLimited = limits.memory !== null || limits.processes !== null;
  const found =
    linux && isLimited && options.account !== undefined
      ? await findCgroup({ account: options.account })
      : { base: null, reason: 'this system has no cgroups' };
  const countsProcesses = linux && limits.processes !== null && (await hasOwnProcessCount(isolation, python));
  const watched = linux ? 'watchdog' : 'none';
  const by: EnforcedLimits = {
    memory: limits.memory === null ? 'none' : found.base !== null ? 'cgroup' : watched,
    processes:
      limits.processes === null ? 'none' : found.base !== null ? 'cgroup' : countsProcesses ? 'rlimit' : watched,
    open_files: limits.open_files === null ? 'none' : 'rlimit',
    disk: limits.disk === null ? 'none' : 'watchdog',
  };
  const seesOpenFiles = linux && (await canSeeOpenFiles(isolation, python));
  const notes = notesOn(options, { by, reason: found.reason, seesOpenFiles });
  return { limits, by, cgroup: found.base, countsProcesses, seesOpenFiles, notes };
}

/** Tests it: kernels before 5.14 count all processes of the account, and no kernel limits those of root. */
async function hasOwnProcessCount(isolation: Isolation, python: InstalledTool | null): Promise<boolean> {
  if (isolation.kind !== 'bubblewrap' || python === null) return false;
  const result = await runIsolated(
    isolation,
    { interpreters: [python.command], readable: [], writable: [] },
    { command: python.command, args: ['-I', '-S', '-c', COUNT_SCRIPT], cwd: '/', env: {}, timeoutMs: TIMEOUT_MS },
  );
  return result.exitCode === 0 && ['1', '2', '3'].includes(result.stdout.trim());
}

// It exits when its input ends, after the measurement.
const OPEN_SCRIPT = `import os, sys
os.write(os.memfd_create('svc'), bytes(65536))
print(flush=True)
sys.stdin.read()
`;

/** Tests it: a worker as root needs CAP_SYS_PTRACE to see the open files of tasks that have another account. */
async function canSeeOpenFiles(isolation: Isolation, python: InstalledTool | null): Promise<boolean> {
  if (!isSandboxed(isolation) || python === null) return false;
  let processes: TaskProcesses | undefined;
  let usage = NO_OPEN_FILES;
  let exit: (input: string) => void;
  const measured = new Promise<string>((resolve) => {
    exit = resolve;
  });
  await runIsolated(
    isolation,
    { interpreters: [python.command], readable: [], writable: [] },
    {
      ...{ command: python.command, args: ['-I', '-S', '-c', OPEN_SCRIPT], cwd: '/', env: {}, timeoutMs: TIMEOUT_MS },
      input: [measured],
      watch(child) {
        const found = taskProcesses(isolation, child.pid);
        processes = found;
        return () => found.close();
      },
      async onLine() {
        usage = await openFileUsage((await processes?.list()) ?? []);
        exit('');
      },
    },
  );
  return !usage.isIncomplete && usage.memory > 0;
}

function notesOn(
  { limits, isolation, platform, account }: EnforcementOptions,
  { by, reason, seesOpenFiles }: { by: EnforcedLimits; reason: string | null; seesOpenFiles: boolean },
): string[] {
  const notes: string[] = [];
  if (platform !== 'linux' && (limits.memory !== null || limits.processes !== null))
    notes.push("this system can't limit the memory and processes of tasks; only Linux can");
  if (by.memory === 'watchdog') notes.push(`the worker, not the kernel, enforces the memory limit of tasks: ${reason}`);
  if (by.processes === 'watchdog') {
    const root = account === 0 ? ", which doesn't restrict root: run the worker under its own account" : '';
    notes.push(`the processes of a task are counted by the worker, and not limited by the kernel${root}`);
  }
  if (platform === 'linux' && isSandboxed(isolation) && !seesOpenFiles && limits.disk !== null) {
    const root = account === 0 ? ': run the worker under its own account, or with CAP_SYS_PTRACE' : '';
    notes.push(
      `deleted files that a task keeps open don't count for its disk limit, because the worker can't see them${root}`,
    );
  }
  if (platform === 'linux' && isolation.kind === 'none' && by.memory !== 'cgroup')
    notes.push("without isolation, processes that leave the process group and session of a task aren't counted");
  return notes;
}
