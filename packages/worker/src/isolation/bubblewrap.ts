import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ETC, KEYS, LIMITS, SYSTEM } from '@svc/lake/confinement';
import { type Bubblewrap, FILTER_DESCRIPTOR, type Program, RELAY_SOCKET, type SandboxPaths } from './sandbox.ts';
import { liesIn, tracePath } from './trace-path.ts';

/** Options of every sandbox. bubblewrap supports them since 0.3. */
const WALLS = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
];

/** One mount of a sandbox. `at` is absolute and contains no links, unless it is a link itself. */
interface Mount {
  readonly at: string;
  readonly how: 'link' | 'read' | 'write' | 'empty';
  readonly args: readonly string[];
}

/**
 * Wraps a program in its own sandbox. Its processes can't see others, and exit with it and with the worker. They see
 * the system's files, read-only, and those that the sandbox lists. Their network is empty unless the sandbox lists one;
 * abstract Unix sockets belong to a network too.
 */
export async function isolate(isolation: Bubblewrap, sandbox: SandboxPaths, program: Program): Promise<Program> {
  const read = [...SYSTEM, ...LIMITS, ...ETC, ...isolation.readable, ...sandbox.readable];
  const visible = [
    ...(await mounts(read, (target) => bindMount(target, 'read'))),
    ...(await mounts(sandbox.interpreters, (target) => bindMount(target, 'read'))),
    ...(await mounts(await installations(sandbox.interpreters), (target) => bindMount(target, 'read'))),
    ...(await mounts(sandbox.writable, (target) => bindMount(target, 'write'))),
  ];
  const hidden = await mounts([...KEYS, ...isolation.hidden, ...(sandbox.hidden ?? [])], empty);
  const all = [
    sandbox.temporary === undefined ? empty('/tmp') : standIn(sandbox.temporary.files, '/tmp'),
    ...once(visible),
    ...hidden.filter(({ at, how }) => how === 'empty' && visible.some((other) => contains(other, at))),
    { at: '/proc', args: ['--proc', '/proc'] },
    { at: '/dev', args: ['--dev', '/dev'] },
    ...(sandbox.temporary === undefined ? [] : [standIn(sandbox.temporary.memory, '/dev/shm')]),
    ...(sandbox.network?.kind === 'relay' ? [standIn(sandbox.network.socket, RELAY_SOCKET)] : []),
  ];
  // A folder comes before its contents, so the nearest rule wins.
  all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const network = isolation.ownNetwork && sandbox.network?.kind !== 'worker' ? ['--unshare-net'] : [];
  const filter = isolation.filtersCalls ? ['--seccomp', String(FILTER_DESCRIPTOR)] : [];
  const args = [...WALLS, ...network, ...filter, ...isolation.further, ...all.flatMap((mount) => mount.args)];
  // The rest of /dev is in memory too.
  if (sandbox.temporary !== undefined) args.push('--remount-ro', '/dev');
  // The kernel would accept settings through /proc from a worker that runs as root.
  args.push(
    '--remount-ro',
    '/proc',
    '--remount-ro',
    '/',
    '--chdir',
    program.cwd,
    '--',
    program.command,
    ...program.args,
  );
  return { command: isolation.command, args, cwd: '/' };
}

/** The targets of the paths and the links that lead to them. Missing paths are skipped. */
async function mounts(paths: readonly string[], toMount: (target: string) => Mount): Promise<Mount[]> {
  const traced = await Promise.all(paths.map(tracePath));
  return traced.flatMap((path) => {
    if (path === null) return [];
    const links = path.links.map(({ at, to }): Mount => ({ at, how: 'link', args: ['--symlink', to, at] }));
    return [...links, toMount(path.target)];
  });
}

const bindMount = (at: string, how: 'read' | 'write'): Mount => ({
  at,
  how,
  args: [how === 'write' ? '--bind' : '--ro-bind', at, at],
});

const standIn = (folder: string, at: string) => ({ at, args: ['--bind', folder, at] });

const empty = (at: string): Mount => ({ at, how: 'empty', args: ['--tmpfs', at] });

/** An interpreter finds its library next to the file that its links lead to. */
export async function installations(interpreters: readonly string[]): Promise<string[]> {
  const traced = await Promise.all(interpreters.map(tracePath));
  return traced.flatMap((path) => {
    const prefix = path === null ? '/' : dirname(dirname(path.target));
    // For an installation in a home directory, only the necessary folders are visible.
    return liesIn(homedir(), prefix) ? ['bin', 'lib', 'lib64'].map((part) => join(prefix, part)) : [prefix];
  });
}

const contains = ({ at, how }: Mount, path: string): boolean => how !== 'link' && liesIn(path, at);

/**
 * Each path once, writable if any mount says so. Links inside a visible folder are left out, because they are already
 * there.
 */
function once(visible: readonly Mount[]): Mount[] {
  const mounts = new Map<string, Mount>();
  for (const mount of visible) {
    if (mount.how === 'link' && visible.some((other) => contains(other, mount.at))) continue;
    if (mount.how === 'write' || !mounts.has(mount.at)) mounts.set(mount.at, mount);
  }
  return [...mounts.values()];
}
