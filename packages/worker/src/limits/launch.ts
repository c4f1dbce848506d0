import type { Program } from '../isolation/index.ts';
import type { TaskLimits } from './task-limits.ts';

/**
 * Processes and threads beyond the limit that the kernel still lets a task start, so that the worker sees the limit
 * exceeded and can name it before the kernel refuses.
 */
export const PROCESSES_MARGIN = 64;

// A soft limit alone could be raised again. A limit that this account already has stays if it is lower.
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
 * The program behind a start of the interpreter that sets resource limits and becomes the program. It runs inside of the
 * sandbox, whose user namespace counts the processes of the task alone. Without the module `site` no code of a package
 * runs before.
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

// The shell itself opens /proc/self, so the setting is its own and what it becomes inherits it.
const ENTER = `[ -w /proc/self/oom_score_adj ] && echo 1000 > /proc/self/oom_score_adj
[ -z "$1" ] || echo $$ > "$1/cgroup.procs" || exit 126
shift
exec "$@"`;

/**
 * The program behind a shell that makes it the first to go when the machine runs out of memory, and moves it into its
 * cgroup before anything of it runs.
 */
export const enterFirst = (program: Program, cgroup: string | null): Program => ({
  command: '/bin/sh',
  args: ['-c', ENTER, 'sh', cgroup ?? '', program.command, ...program.args],
  cwd: program.cwd,
});
