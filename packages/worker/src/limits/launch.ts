import { type Program, RELAY_SOCKET } from '../isolation/index.ts';
import type { TaskLimits } from './task-limits.ts';

/**
 * Processes and threads above the limit that the kernel still allows, so that the worker can detect and name the
 * exceeded limit before the kernel makes a fork fail.
 */
export const PROCESSES_MARGIN = 64;

/**
 * Closes what the worker inherited from the program that started it, and its children from the worker. Sets the resource limits,
 * and the hard limits too, because a soft limit could be raised again; a lower limit of the account remains. Then starts the
 * relay: it listens at once, imports what it needs when the first program connects, and isn't a child of the program, which
 * would find it when it waits for its own children. `_socket` is what the module socket wraps; importing that one would take
 * longer than everything else here.
 */
const LAUNCH = `import os, resource, sys
os.closerange(3, min(os.sysconf('SC_OPEN_MAX'), 65536))
for pair in filter(None, sys.argv[1].split(',')):
    name, value = pair.split('=')
    kind, value = getattr(resource, 'RLIMIT_' + name), int(value)
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))
folder, path, port = sys.argv[2:5]
if folder:
    import _socket
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    listener.bind(('127.0.0.1', int(port)))
    listener.listen(128)
    child = os.fork()
    if child == 0:
        try:
            if os.fork() == 0:
                os.setsid()
                null = os.open(os.devnull, os.O_RDWR)
                for stream in range(3):
                    os.dup2(null, stream)
                import select
                first = select.poll()
                first.register(listener, select.POLLIN)
                first.poll()
                sys.path.append(folder)
                import _relay
                _relay.run(listener.detach(), path)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    listener.close()
os.execv(sys.argv[5], sys.argv[5:])
`;

/** The relay of a sandbox: how its programs reach the socket of the worker. */
export interface RelayProcess {
  /** The folder of its module. */
  readonly folder: string;
  /** Its port on the sandbox's 127.0.0.1. */
  readonly port: number;
}

/**
 * Wraps a program in a start of the interpreter that sets resource limits, starts the sandbox's relay, which the limits bind
 * too, and then executes the program. This happens inside the sandbox, whose user namespace counts only the task's
 * processes. Without the module `site`, no package code runs before the limits are set.
 */
export function withRlimits(
  program: Program,
  python: string,
  limits: TaskLimits,
  { countsProcesses, relay = null }: { countsProcesses: boolean; relay?: RelayProcess | null },
): Program {
  const rlimits: [string, number | null][] = [
    ['CORE', 0],
    ['NOFILE', limits.open_files],
    ['FSIZE', limits.disk],
    ['NPROC', countsProcesses && limits.processes !== null ? limits.processes + PROCESSES_MARGIN : null],
  ];
  const pairs = rlimits.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join(',');
  const relayArgs = relay === null ? ['', '', ''] : [relay.folder, RELAY_SOCKET, String(relay.port)];
  const args = ['-I', '-S', '-c', LAUNCH, pairs, ...relayArgs, program.command, ...program.args];
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
