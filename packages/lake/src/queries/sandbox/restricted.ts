import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineCallFilter, KERNEL_RULES, type KernelRules, LIMITS } from '../../confinement/index.ts';
import { type Launcher, launcher, once } from './launchers.ts';

/** The bundle of ./child.ts, which has the same relative path from the sources and the compiled files. */
export const ENGINE_PROGRAM = fileURLToPath(new URL('../../../dist/engine/child.js', import.meta.url));

/** Restricts the process, which the system also kills with its parent, and becomes the program. */
const RESTRICT = `${KERNEL_RULES}
checked('pdeathsig', prctl(PDEATHSIG, signal.SIGKILL))

def write(path, text):
    with open(path, 'w') as file:
        file.write(text)

# If memory runs out, the system kills this process before those of the service.
write('/proc/self/oom_score_adj', '1000')
base = options['cgroup']
if base:
    group = '%s/svc-query-%d' % (base, os.getpid())
    # One of an earlier process with this id may be left.
    os.makedirs(group, exist_ok=True)
    # Kernels without swap don't have this file.
    if os.path.exists(group + '/memory.swap.max'):
        write(group + '/memory.swap.max', '0')
    write(group + '/cgroup.procs', str(os.getpid()))
# Core files would contain rows.
CORE = 4
checked('setrlimit', libc.setrlimit(CORE, pointer((ctypes.c_uint64 * 2)(0, 0))))
# Root reads files of other accounts, such as those of tasks, with DAC_OVERRIDE and DAC_READ_SEARCH.
kept = [1, 2] if os.geteuid() == 0 else []
drop_bound(kept)
drop_capabilities(kept)
abi = call(444, 0, 0, 1)
# In older versions, a file can be emptied through a path that is only readable.
if abi >= 3:
    restrict_files(abi)
filter_calls()
os.execv(sys.argv[2], sys.argv[2:])
`;

const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/nix/store', '/gnu/store'];
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/localtime', '/etc/ssl/openssl.cnf', '/usr/share/zoneinfo'];

/** Node, the engine's program with its package, and the modules that it imports. */
const programFiles = once((): string[] => {
  const bindings = realpathSync(createRequire(ENGINE_PROGRAM).resolve('@duckdb/node-api'));
  const modules = bindings.slice(0, bindings.indexOf('/node_modules/') + '/node_modules'.length);
  return [realpathSync(process.execPath), dirname(dirname(dirname(realpathSync(ENGINE_PROGRAM)))), modules];
});

/** What a query process can open besides its program. Folders that don't exist when it starts stay closed. */
export interface EngineFolders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

function restrict({ read, write }: EngineFolders, cgroup: string | null): string[] {
  const rules: KernelRules & { readonly cgroup: string | null } = {
    read: [...LIBRARIES, ...programFiles()],
    show: [...SYSTEM_FILES, ...LIMITS, '/proc', ...read],
    write,
    restrictsNetwork: true,
    port: null,
    filter: engineCallFilter(process.arch)!.toString('hex'),
    cgroup,
  };
  return ['-I', '-S', '-c', RESTRICT, JSON.stringify(rules)];
}

const python = once(() => {
  if (engineCallFilter(process.arch) === null) return null;
  return launcher('python3', restrict({ read: [], write: [] }, null), [process.execPath, '--version'])?.[0] ?? null;
});

/**
 * How to start a query process that can open only these files and those of its program, has no socket, reaches no other process, and
 * is killed by the system if this process is killed; null if this machine can't, for which it needs the system's Python.
 * @param cgroup folder in which it creates and enters one of its own
 */
export function restricted(folders: EngineFolders, cgroup: string | null = null): Launcher | null {
  const path = python();
  return path === null ? null : [path, ...restrict(folders, cgroup)];
}

/** Whether the kernel has Landlock: without it, a process has only the filter of system calls. */
function restrictsFiles(): boolean {
  const [command, ...args] = restricted({ read: [], write: [] })!;
  return spawnSync(command, [...args, process.execPath, '-e', "fs.readdirSync('/')"], { stdio: 'ignore' }).status !== 0;
}

/** Why this machine doesn't restrict the files of query processes; null if it does. */
export function unrestrictedBecause(): string | null {
  if (python() !== null) return restrictsFiles() ? null : "the kernel doesn't have Landlock version 3 (Linux 6.2)";
  if (process.platform !== 'linux' || engineCallFilter(process.arch) === null)
    return 'this needs Linux on x86-64 or arm64';
  return "the system's Python (/usr/bin/python3) is missing, or the kernel doesn't accept the rules";
}
