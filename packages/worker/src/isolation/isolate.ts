import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { liesIn, tracePath } from './trace-path.ts';

/** How processes that may run a project's code are held apart from the worker and from each other (decision 30). */
export type Isolation =
  | { readonly kind: 'none' }
  /** Asked for and not to be had: nothing of a project is run. */
  | { readonly kind: 'missing'; readonly why: string }
  | Bubblewrap;

export interface Bubblewrap {
  readonly kind: 'bubblewrap';
  readonly command: string;
  /** Options that this machine's bubblewrap knows beyond those that every one knows. */
  readonly further: readonly string[];
  /** Folders that the operator shows to every task. */
  readonly readable: readonly string[];
  /** Folders that are never shown but for what a room names in them. */
  readonly hidden: readonly string[];
}

/** What one process sees beside the programs and libraries of the system. */
export interface Room {
  /** Interpreters of Python: the folder that each is installed in is shown. */
  readonly interpreters: readonly string[];
  /** Files and folders; what is not there is left out. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Folders shown by the above that are to be empty. */
  readonly hidden?: readonly string[];
  /** Folders that stand for /tmp and /dev/shm; absent: both are in memory. */
  readonly temporary?: { readonly files: string; readonly memory: string };
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Programs and libraries; links among them stay links. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];
/** How many processors there are, and how much memory may be used. */
const LIMITS = ['/sys/devices/system', '/sys/fs/cgroup'];
/** Of /etc what programs look names, addresses, certificates and libraries up in; the rest may hold secrets. */
const ETC =
  'alternatives ca-certificates crypto-policies fonts group gai.conf host.conf hosts ld.so.cache ld.so.conf ld.so.conf.d localtime mime.types nsswitch.conf passwd pki protocols python3 resolv.conf services ssl timezone'
    .split(' ')
    .map((name) => `/etc/${name}`);
/** Keys and settings of the machine, which a worker that runs as root could read. */
const KEYS = ['/etc/ssl/private', '/etc/pki/tls/private', '/usr/local/etc'];

/** What no room goes without. Options that bubblewrap has known since 0.3. */
const WALLS = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
];

/** One thing that a room is made with; `at` is absolute and without links but for a link itself. */
interface Mount {
  readonly at: string;
  readonly how: 'link' | 'read' | 'write' | 'empty';
  readonly args: readonly string[];
}

/**
 * The program as it is started in a room of its own: its processes see no others and end with it and with the worker;
 * of the files they see the system's, read-only, and what the room names. The network is the worker's.
 */
export async function isolate(isolation: Bubblewrap, room: Room, program: Program): Promise<Program> {
  const read = [...SYSTEM, ...LIMITS, ...ETC, ...isolation.readable, ...room.readable];
  const shown = [
    ...(await mounts(read, (end) => bound(end, 'read'))),
    ...(await mounts(room.interpreters, (end) => bound(end, 'read'))),
    ...(await mounts(await installations(room.interpreters), (end) => bound(end, 'read'))),
    ...(await mounts(room.writable, (end) => bound(end, 'write'))),
  ];
  const hidden = await mounts([...KEYS, ...isolation.hidden, ...(room.hidden ?? [])], empty);
  const all = [
    room.temporary === undefined ? empty('/tmp') : standIn(room.temporary.files, '/tmp'),
    ...once(shown),
    ...hidden.filter(({ at, how }) => how === 'empty' && shown.some((other) => holds(other, at))),
    { at: '/proc', args: ['--proc', '/proc'] },
    { at: '/dev', args: ['--dev', '/dev'] },
    ...(room.temporary === undefined ? [] : [standIn(room.temporary.memory, '/dev/shm')]),
  ];
  // A folder comes before what lies in it, so the nearest rule holds.
  all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const args = [...WALLS, ...isolation.further, ...all.flatMap((mount) => mount.args)];
  // The rest of /dev is in memory too.
  if (room.temporary !== undefined) args.push('--remount-ro', '/dev');
  // Of a worker that runs as root the kernel would take settings by /proc.
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

/** What the paths lead to, and the links that lead there; what is not there is left out. */
async function mounts(paths: readonly string[], toEnd: (end: string) => Mount): Promise<Mount[]> {
  const traced = await Promise.all(paths.map(tracePath));
  return traced.flatMap((path) => {
    if (path === null) return [];
    const links = path.links.map(({ at, to }): Mount => ({ at, how: 'link', args: ['--symlink', to, at] }));
    return [...links, toEnd(path.end)];
  });
}

const bound = (at: string, how: 'read' | 'write'): Mount => ({
  at,
  how,
  args: [how === 'write' ? '--bind' : '--ro-bind', at, at],
});

const standIn = (folder: string, at: string) => ({ at, args: ['--bind', folder, at] });

const empty = (at: string): Mount => ({ at, how: 'empty', args: ['--tmpfs', at] });

/** An interpreter finds its library beside where the links to it end. */
async function installations(interpreters: readonly string[]): Promise<string[]> {
  const traced = await Promise.all(interpreters.map(tracePath));
  return traced.flatMap((path) => {
    const prefix = path === null ? '/' : dirname(dirname(path.end));
    // One that was put into somebody's home shows no more of it than it must.
    return liesIn(homedir(), prefix) ? ['bin', 'lib', 'lib64'].map((part) => join(prefix, part)) : [prefix];
  });
}

const holds = ({ at, how }: Mount, path: string): boolean => how !== 'link' && liesIn(path, at);

/** Each place once, to be written where anything says so; links only where no folder that is shown holds them already. */
function once(shown: readonly Mount[]): Mount[] {
  const places = new Map<string, Mount>();
  for (const mount of shown) {
    if (mount.how === 'link' && shown.some((other) => holds(other, mount.at))) continue;
    if (mount.how === 'write' || !places.has(mount.at)) places.set(mount.at, mount);
  }
  return [...places.values()];
}
