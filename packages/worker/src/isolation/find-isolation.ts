import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@svc/core/settings';
import { systemCallFilter } from '@svc/lake/confinement';
import { runChild } from '../programs/child-process.ts';
import { type InstalledTool, locate } from '../programs/find-tools.ts';
import { runIsolated } from './run-isolated.ts';
import { type Bubblewrap, type Isolation, type Landlock, NETWORK_ABI } from './sandbox.ts';

export interface FoundIsolation {
  readonly isolation: Isolation;
  /** A message for operators, or null. */
  readonly note: string | null;
}

type IsolationSettings = Pick<
  Settings,
  'isolation' | 'taskNetwork' | 'isolationReadable' | 'home' | 'storageLocation' | 'externalLocations'
>;

const TIMEOUT_MS = 10_000;
const SHELL = { command: '/bin/sh', args: ['-c', 'exit 0'], cwd: '/' };
/** Available since bubblewrap 0.8: processes in a sandbox can't create sandboxes, and reach less of the kernel. */
const NO_NESTING = ['--disable-userns'];
/** The strictest sandbox first. */
const ATTEMPTS = [systemCallFilter(process.arch) !== null, false].flatMap((filtersCalls) =>
  [true, false].flatMap((ownNetwork) => [NO_NESTING, []].map((further) => ({ filtersCalls, ownNetwork, further }))),
);

/**
 * Tests once how this machine can isolate tasks. User namespaces, which bubblewrap needs, may be forbidden, and usually are in
 * containers. Landlock needs only a kernel that has it.
 * @param path search path of programs
 * @param python the interpreter that sets the rules of Landlock
 */
export async function findIsolation(
  settings: IsolationSettings,
  path: string,
  python: InstalledTool | null = null,
): Promise<FoundIsolation> {
  switch (settings.isolation) {
    case 'none':
      return { isolation: { kind: 'none' }, note: unenforced(settings) };
    case 'landlock':
      return findLandlock(settings, python);
    case 'required':
      return findEither(settings, path, python);
    default:
      return findBubblewrap(settings, path);
  }
}

async function findBubblewrap(settings: IsolationSettings, path: string): Promise<FoundIsolation> {
  const found = await tryBubblewrap(settings, path);
  if (typeof found !== 'string') return withNetwork(found, settings);
  if (settings.isolation === 'auto') {
    const note = `Python tasks run under the account of this service and can read everything that it can read: ${found}`;
    return { isolation: { kind: 'none' }, note };
  }
  return missing(found, `${found}, but SVC_RUN__ISOLATION is ${settings.isolation}`);
}

const missing = (reason: string, text: string = reason): FoundIsolation => ({
  isolation: { kind: 'missing', reason },
  note: `Python tasks can't run: ${text}`,
});

async function findLandlock(settings: IsolationSettings, python: InstalledTool | null): Promise<FoundIsolation> {
  const found = await tryLandlock(settings, python);
  if (typeof found === 'string') return missing(found, `${found}, but SVC_RUN__ISOLATION is landlock`);
  return { isolation: found, note: landlockNote(found) };
}

async function findEither(
  settings: IsolationSettings,
  path: string,
  python: InstalledTool | null,
): Promise<FoundIsolation> {
  const first = await findBubblewrap(settings, path);
  if (first.isolation.kind !== 'missing') return first;
  const second = await tryLandlock(settings, python);
  if (typeof second !== 'string')
    return { isolation: second, note: `${landlockNote(second)} (${first.isolation.reason})` };
  return missing(
    `${first.isolation.reason}; and ${second}; or accept that tasks can read everything that the worker can read (SVC_RUN__ISOLATION=none)`,
  );
}

/** The hosts of `SVC_RUN__NETWORK` are all that tasks may reach, which nothing enforces without isolation. */
const unenforced = ({ taskNetwork }: IsolationSettings): string | null =>
  taskNetwork === 'unrestricted' || taskNetwork.length === 0
    ? null
    : 'Python tasks can connect to everything that this machine reaches, because SVC_RUN__NETWORK has no effect with SVC_RUN__ISOLATION=none';

function withNetwork(isolation: Bubblewrap, settings: IsolationSettings): FoundIsolation {
  if (isolation.ownNetwork || settings.taskNetwork === 'unrestricted') return { isolation, note: null };
  const reason = 'bubblewrap can separate everything except the network of tasks (allow network namespaces';
  if (settings.isolation === 'auto')
    return { isolation, note: `Python tasks can connect to everything that this machine reaches: ${reason})` };
  const refused = `${reason}, or set SVC_RUN__NETWORK=unrestricted)`;
  return { isolation: { kind: 'missing', reason: refused }, note: `Python tasks can't run: ${refused}` };
}

/** Returns how to create sandboxes, or the reason why it isn't possible, as part of a sentence. */
async function tryBubblewrap(settings: IsolationSettings, path: string): Promise<Bubblewrap | string> {
  if (process.platform !== 'linux') return 'isolation works only on Linux';
  const command = await locate('bwrap', path);
  if (command === null) return "bubblewrap (bwrap) isn't installed on this machine; install it to isolate them";
  let output = '';
  for (const attempt of ATTEMPTS) {
    const isolation: Bubblewrap = { kind: 'bubblewrap', command, ...attempt, ...folders(settings) };
    const paths = { interpreters: [], readable: [], writable: [] };
    const result = await runIsolated(isolation, paths, { ...SHELL, env: {}, timeoutMs: TIMEOUT_MS });
    if (result.exitCode === 0) return isolation;
    output = result.stderr.trim().split('\n').at(-1) ?? '';
  }
  return `bubblewrap doesn't work on this machine (${output}); allow user namespaces`;
}

function folders({ isolationReadable, home, storageLocation, externalLocations }: IsolationSettings) {
  const storage = [storageLocation, ...externalLocations].filter((location) => location?.startsWith('/')) as string[];
  return { readable: isolationReadable, hidden: [resolve(home), ...storage] };
}

const LANDLOCK_VERSION = `import ctypes
call = ctypes.CDLL(None).syscall
call.restype = ctypes.c_long
print(call(ctypes.c_long(444), None, ctypes.c_long(0), ctypes.c_long(1)))
`;
/** The first version in which files can't be emptied through a path that is only readable. */
const OLDEST_LANDLOCK = 3;
/** The first version that keeps signals and abstract sockets apart. */
const SCOPED_LANDLOCK = 6;
/**
 * The account of tasks of a worker that runs as root, if it can enter what they need: one that systemd and distributions assign to
 * nobody. Otherwise, tasks are root without capabilities.
 */
const TASK_ACCOUNT = 60_847;
/** Fails if an account can't enter one of the folders in its arguments. */
const ENTER = `import os, sys
for folder in sys.argv[1:]:
    try:
        os.stat(folder + '/.')
    except FileNotFoundError:
        pass
`;
const NO_PATHS = { interpreters: [], readable: [], writable: [] };

/** Returns how to restrict processes with Landlock, or the reason why it isn't possible, as part of a sentence. */
async function tryLandlock(settings: IsolationSettings, python: InstalledTool | null): Promise<Landlock | string> {
  if (process.platform !== 'linux' || systemCallFilter(process.arch) === null)
    return 'Landlock works only on Linux, on x86-64 and arm64';
  if (python === null) return 'Landlock needs Python on this machine';
  const { command } = python;
  const version = await runChild({
    command,
    args: ['-I', '-S', '-c', LANDLOCK_VERSION],
    cwd: '/',
    env: {},
    timeoutMs: TIMEOUT_MS,
  });
  const abi = Number.parseInt(version.stdout, 10);
  if (!(abi > 0))
    return "this machine's kernel or container engine doesn't have Landlock; allow it, or use a newer kernel";
  const oldest = settings.taskNetwork === 'unrestricted' ? OLDEST_LANDLOCK : NETWORK_ABI;
  if (abi < oldest)
    return `Landlock version ${abi} of this machine's kernel is too old; version ${oldest} (Linux ${oldest === NETWORK_ABI ? '6.7' : '6.2'}) is needed`;
  let reason = '';
  for (const account of process.getuid?.() === 0 ? [TASK_ACCOUNT, null] : [null]) {
    const isolation: Landlock = { kind: 'landlock', python: command, abi, account, ...folders(settings) };
    const args = ['-I', '-S', '-c', ENTER, resolve(settings.home), fileURLToPath(new URL('.', import.meta.url))];
    const program = { command, args, cwd: '/', env: {}, timeoutMs: TIMEOUT_MS };
    const result = await runIsolated(isolation, { ...NO_PATHS, interpreters: [command] }, program);
    if (result.exitCode === 0) return isolation;
    reason = result.stderr.trim().split('\n').at(-1) ?? '';
  }
  return `Landlock doesn't work on this machine (${reason})`;
}

function landlockNote({ abi, account }: Landlock): string {
  const shared = account === null ? ', change permissions and times of files of the account' : '';
  const signals = abi < SCOPED_LANDLOCK && account === null ? ', stop processes of the account' : '';
  return `Python tasks are restricted by Landlock instead of bubblewrap: they can still see the command lines of other processes and whether files exist${shared}${signals}, and connect to other machines at the port of their proxy`;
}
