import type { Program } from '../isolation/index.ts';
import type { TaskLimits } from './task-limits.ts';

/**
 * Processes and threads above the limit that the kernel still allows, so that the worker can detect and name the
 * exceeded limit before the kernel makes a fork fail.
 */
export const PROCESSES_MARGIN = 64;

// Sets the hard limit too, because a soft limit could be raised again. A lower limit of the account remains.
const SET_RLIMITS = `import os, resource, sys
for pair in sys.argv[1].split(','):
    name, value = pair.split('=')
    kind, value = getattr(resource, 'RLIMIT_' + name), int(value)
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))
os.execv(sys.argv[2], sys.argv[2:])
`;

/**
 * Wraps a program in a start of the interpreter that sets resource limits and then executes it. This happens inside the
 * sandbox, whose user namespace counts only the task's processes. Without the module `site`, no package code runs
 * before the limits are set.
 */
export function withRlimits(
  program: Program,
  python: string,
  limits: TaskLimits,
  { countsProcesses }: { countsProcesses: boolean },
): Program {
  const rlimits: [string, number | null][] = [
    ['CORE', 0],
    ['NOFILE', limits.open_files],
    ['FSIZE', limits.disk],
    ['NPROC', countsProcesses && limits.processes !== null ? limits.processes + PROCESSES_MARGIN : null],
  ];
  const pairs = rlimits.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join(',');
  const args = ['-I', '-S', '-c', SET_RLIMITS, pairs, program.command, ...program.args];
  return { command: python, args, cwd: program.cwd };
}

// The shell itself opens /proc/self, so it changes its own setting, and the program it executes inherits it.
const ENTER_CGROUP = `[ -w /proc/self/oom_score_adj ] && echo 1000 > /proc/self/oom_score_adj
[ -z "$1" ] || echo $$ > "$1/cgroup.procs" || exit 126
shift
exec "$@"`;

/**
 * Wraps a program in a shell that makes it the first candidate of the OOM killer and moves it into its cgroup before
 * any of it runs.
 */
export const enterFirst = (program: Program, cgroup: string | null): Program => ({
  command: '/bin/sh',
  args: ['-c', ENTER_CGROUP, 'sh', cgroup ?? '', program.command, ...program.args],
  cwd: program.cwd,
});
