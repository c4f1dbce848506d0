import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder, type TaskLimits } from '../limits/index.ts';
import { ServiceRelay } from '../outgoing/index.ts';
import { findPython, type InstalledTool } from '../programs/find-tools.ts';
import { PythonInterpreter } from '../python/python-interpreter.ts';
import { isolationHere, landlockHere, limitedHere, processesWith } from '../testing/index.ts';
import { type Bubblewrap, type Landlock, restrictsNetwork } from './index.ts';

// Every attack is code of a project that runs as a real task, and prints what came of it. An attack that once worked stays here.

const support = fileURLToPath(new URL('../../../sdk-python/src', import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-attacks-')));
// Landlock hides no folder: the account of tasks passes through this one.
chmodSync(home, 0o711);

interface Kind {
  readonly isolation: Bubblewrap | Landlock;
  readonly python: InstalledTool;
}

async function bubblewrap(): Promise<Kind | null> {
  const isolation = await isolationHere(home);
  const python = await findPython(null, null, process.env['PATH'] ?? '');
  return isolation.kind === 'bubblewrap' && python !== null ? { isolation, python } : null;
}
const kinds = { bubblewrap: await bubblewrap(), Landlock: await landlockHere([support, home]) };

const project = join(home, 'work/projects/one');
const other = join(home, 'work/tasks/other');
const PREPARE = `import ctypes, errno, mmap, os, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(8)
def system_call(*args):
    result = libc.syscall(*args)
    return result if result >= 0 else errno.errorcode[ctypes.get_errno()]
def checked(result):
    if result < 0: raise OSError(ctypes.get_errno(), '')
    return result
def write(path, text='x'):
    with open(path, 'w') as file: file.write(text)
def connect(family, address):
    with socket.socket(family) as end:
        end.settimeout(5)
        end.connect(address)
        return end.recv(10)
def environment(process):
    try:
        with open(f'/proc/{process}/environ', 'rb') as file: return file.read()
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.ENOENT, errno.ESRCH): raise
        return b''
def attack(name, act):
    try:
        print(name, '->', repr(act()))
    except OSError as error:
        print(name, '->', errno.errorcode.get(error.errno, str(error)))
    except BaseException as error:
        print(name, '->', type(error).__name__)
`;

/** Listens on an abstract and on an ordinary Unix socket, and has shared memory. */
const NEIGHBOUR = `import ctypes, os, socket, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
def serve(address):
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen()
    while True: server.accept()[0].sendall(b'canary')
for address in (sys.argv[1], '\\0' + sys.argv[2]):
    threading.Thread(target=serve, args=(address,), daemon=True).start()
shared = libc.shmget(int(sys.argv[3]), 4096, 0o1666)
while not os.path.exists(sys.argv[1]): pass
print('up', flush=True)
sys.stdin.read()
libc.shmctl(shared, 0, None)
`;
const socketPath = join(home, 'neighbour');
const abstractName = `svc-attacks-${process.pid}`;
const sharedKey = 0x7373_0000 + (process.pid % 0xffff);
let neighbour: ChildProcess | undefined;

beforeAll(async () => {
  for (const folder of ['postgres', 'warehouse', 'work/projects/one', 'work/tasks/other/output', 'work/environments'])
    mkdirSync(join(home, folder), { recursive: true });
  for (const file of [
    'secrets.key',
    'warehouse/rows',
    'work/tasks/other/output/data.ndjson',
    'work/projects/one/own.sql',
  ])
    writeFileSync(join(home, file), 'canary');
  process.env['SVC_TEST_CANARY'] = 'canary';
  const python = (kinds.bubblewrap ?? kinds.Landlock)?.python;
  if (python === undefined) return;
  const args = ['-c', NEIGHBOUR, socketPath, abstractName, String(sharedKey)];
  neighbour = spawn(python.command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(neighbour.stdout!, 'data');
});
afterAll(async () => {
  delete process.env['SVC_TEST_CANARY'];
  if (neighbour !== undefined) {
    neighbour.stdin!.end();
    await once(neighbour, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
});

/** Runs the body of a function as a task. */
async function task({ isolation, python }: Kind, body: string, limits: Partial<TaskLimits> = {}) {
  const workDir = mkdtempSync(join(home, 'work/tasks/own-'));
  const file = `a${process.hrtime.bigint()}.py`;
  writeFileSync(
    join(project, file),
    `${PREPARE}\ndef build(ctx):\n${body.replace(/^/gm, '    ')}\n    return [{"n": 1}]\n`,
  );
  // Nothing listens there: no attack reaches it.
  const service = new ServiceRelay('http://127.0.0.1:9', {}, null);
  const interpreter = new PythonInterpreter({
    isolation,
    limited: await limitedHere(isolation, python, {
      memory: 1e9,
      processes: 100,
      open_files: 100,
      disk: 5e7,
      ...limits,
    }),
    network: restrictsNetwork(isolation) ? { approved: [], upstream: null, service, hosts: [] } : null,
    python: python.command,
    support,
    projectDir: project,
    workDir,
  });
  const lines: string[] = [];
  const result = await interpreter.run({
    ...({ asset: 'a.b', kind: 'table', file, function: 'build', runId: 'r', environment: 'dev' } as const),
    url: 'http://127.0.0.1:9',
    token: 'svc_task_canary',
    onLine: (_, line) => lines.push(line),
  });
  service.close();
  rmSync(join(project, file));
  return { result, lines, workDir };
}

/** Performs attacks in one task; returns what came of each, by its name. */
async function perform(kind: Kind, attacks: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { result, lines } = await task(
    kind,
    Object.entries(attacks)
      .map(([name, code]) => `attack(${JSON.stringify(name)}, lambda: ${code})`)
      .join('\n'),
  );
  if (result.status !== 'succeeded') throw new Error(JSON.stringify([result, lines]));
  expect(lines.join('\n')).not.toContain('canary');
  return Object.fromEntries(lines.map((line) => line.split(' -> ') as [string, string]));
}

describe.each(['bubblewrap', 'Landlock'] as const)('in a sandbox of %s:', (name) => {
  const found = kinds[name];
  if (found === null) {
    test.skip('it does not work here', () => undefined);
    return;
  }
  const kind: Kind = found;
  const { isolation } = kind;
  const isShared = isolation.kind === 'landlock';
  /** What a path outside of the sandbox answers. */
  const HIDDEN = isShared ? 'EACCES' : 'ENOENT';

  describe('a hostile task', () => {
    test('reads no file that it was not given', async () => {
      const secret = join(home, 'secrets.key');
      const outcomes = await perform(kind, {
        'by its path': `open(${JSON.stringify(secret)}).read()`,
        'through its root folder': `open(${JSON.stringify(`/proc/self/root${secret}`)}).read()`,
        'through the root folder of the first process': `open(${JSON.stringify(`/proc/1/root${secret}`)}).read()`,
        'through the folder of the first process': `open('/proc/1/cwd${secret}').read()`,
        'through dots': `open('../../../../secrets.key').read()`,
        'through a link': `(os.symlink(${JSON.stringify(secret)}, ctx.scratch / 'a'), open(ctx.scratch / 'a').read())`,
        'by a second name': `os.link(${JSON.stringify(join(other, 'output/data.ndjson'))}, ctx.scratch / 'b')`,
        'of another task': `os.listdir(${JSON.stringify(other)})`,
        'the tables': `os.listdir(${JSON.stringify(join(home, 'warehouse'))})`,
        'passwords of the machine': `open('/etc/shadow').read()`,
        'the memory of the machine': `open('/dev/mem', 'rb')`,
        'the memory of the kernel': `open('/proc/kcore', 'rb').read(1)`,
        'by a file handle': 'libc.open_by_handle_at(-100, 0, 0)',
      });
      expect(outcomes).toEqual({
        'by its path': HIDDEN,
        'through its root folder': HIDDEN,
        'through the root folder of the first process': expect.stringMatching(/ENOENT|EACCES/),
        'through the folder of the first process': expect.stringMatching(/ENOENT|EACCES/),
        'through dots': HIDDEN,
        'through a link': HIDDEN,
        'by a second name': isShared ? expect.stringMatching(/EPERM|EACCES|EXDEV/) : 'ENOENT',
        'of another task': HIDDEN,
        'the tables': HIDDEN,
        'passwords of the machine': HIDDEN,
        'the memory of the machine': expect.stringMatching(isShared ? /ENOENT|EACCES/ : /ENOENT/),
        'the memory of the kernel': expect.stringMatching(/EPERM|EACCES|ENOENT/),
        'by a file handle': '-1',
      });
    });

    test('changes nothing outside of its folder', async () => {
      const outcomes = await perform(kind, {
        'its project': `write(${JSON.stringify(join(project, 'own.sql'))})`,
        'the client': `write(${JSON.stringify(join(support, 'svc/_runner.py'))})`,
        'the interpreter': 'write(os.path.realpath(sys.executable))',
        'the system': "write('/usr/bin/x')",
        users: "write('/etc/passwd')",
        'the root folder': "write('/x')",
        'settings of the kernel': "write('/proc/sys/kernel/core_pattern')",
        'the kernel': "write('/proc/sysrq-trigger')",
        'limits of groups': "write('/sys/fs/cgroup/cgroup.procs', str(os.getpid()))",
        'a device': "os.mknod(ctx.scratch / 'c', 0o60660, os.makedev(8, 0))",
        'its root folder': "os.chroot('/tmp')",
        'its mounts': "libc.mount(b'none', b'/usr', b'tmpfs', 0, None)",
        'a mount of its folder': "libc.mount(None, b'/usr', None, 4096 | 32, None)",
        'its account': 'os.setgroups([0])',
        'its priority when memory runs out': "write('/proc/self/oom_score_adj', '-1000')",
      });
      const failed = Object.entries(outcomes).filter(([, outcome]) => !/^E|^-1$/.test(outcome));
      expect(failed).toEqual([]);
      expect(readFileSync(join(project, 'own.sql'), 'utf8')).toBe('canary');
      expect(existsSync('/usr/bin/x') || existsSync('/x')).toBe(false);
    });

    test('reaches no other process', async () => {
      const worker = process.pid;
      const outcomes = await perform(kind, {
        environments: `[p for p in os.listdir('/proc') if p.isdigit() and b'SVC_TEST_CANARY' in environment(p)]`,
        processes: `len([p for p in os.listdir('/proc') if p.isdigit()]) < 8`,
        signals: `os.kill(${worker}, 9)`,
        memory: `open('/proc/${worker}/mem', 'rb')`,
        tracing: `libc.ptrace(16, ${worker}, 0, 0)`,
        'reading memory': `libc.process_vm_readv(${worker}, (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8), 1, (ctypes.c_size_t * 2)(4096, 8), 1, 0)`,
        'its files': `os.readlink('/proc/${worker}/fd/1')`,
        'its limits': `__import__('resource').prlimit(${worker}, 7, (0, 0))`,
        'its processors': `os.sched_setaffinity(${worker}, {0})`,
        'the priority of everybody': `os.setpriority(os.PRIO_USER, os.getuid(), 19) if ${isShared ? 'True' : 'False'} else os.getpriority(os.PRIO_PROCESS, ${worker})`,
        'inherited files':
          "[p for p in (os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') if int(n) > 2 and os.path.lexists(f'/proc/self/fd/{n}')) if not p.startswith(('/dev/null', '/proc/'))]",
        'shared memory': `libc.shmget(${sharedKey}, 0, 0)`,
        'its terminal': "__import__('fcntl').ioctl(0, 0x5412, b'x')",
        'a descriptor': `__import__('signal').pidfd_send_signal(os.pidfd_open(${worker}), 9)`,
      });
      expect(outcomes).toEqual({
        environments: '[]',
        // Landlock leaves /proc as it is: what it shows of every process to everybody. In a container, these can be as few.
        processes: isShared ? expect.stringMatching(/^(?:True|False)$/) : 'True',
        signals: isShared ? 'EPERM' : 'ESRCH',
        memory: HIDDEN,
        tracing: '-1',
        'reading memory': '-1',
        'a descriptor': isShared ? 'EPERM' : 'ESRCH',
        'its files': HIDDEN,
        'its limits': isShared ? 'EPERM' : 'ESRCH',
        'its processors': isShared ? 'EPERM' : 'ESRCH',
        'the priority of everybody': isShared ? 'EPERM' : 'ESRCH',
        'inherited files': '[]',
        'shared memory': '-1',
        'its terminal': expect.stringMatching(isShared ? /ENOTTY|EACCES/ : /ENOTTY/),
      });
    });

    test('gains no rights', async () => {
      const outcomes = await perform(kind, {
        capabilities:
          "[line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'CapBnd', 'CapAmb'))]",
        'programs of others':
          "[line.split()[1] for line in open('/proc/self/status') if line.startswith('NoNewPrivs')]",
        'an account': 'os.setuid(0) if os.getuid() != 0 else os.setuid(1)',
        swapping: "libc.swapon(b'/x', 0)",
        'the clock': "__import__('time').clock_settime(0, 0)",
        'the name of the machine': "socket.sethostname('x')",
      });
      expect(outcomes).toMatchObject({
        // Only rights can reduce the third, which no_new_privs makes useless.
        capabilities: expect.stringMatching(
          isShared && isolation.account === null
            ? /^\['0+', '0+', '[0-9a-f]+', '0+'\]$/
            : /^\['0+', '0+', '0+', '0+'\]$/,
        ),
        'programs of others': "['1']",
        'an account': expect.stringMatching(/^E/),
        swapping: '-1',
        'the clock': 'EPERM',
        'the name of the machine': 'EPERM',
      });
    });

    const nested = isShared || isolation.further.length > 0 ? test : test.skip;
    nested('creates no namespaces', async () => {
      const outcomes = await perform(kind, {
        'of users': 'libc.unshare(0x10000000)',
        'of networks': 'libc.unshare(0x40000000)',
        'with a process': `(lambda made: os._exit(0) if made == 0 else made)(libc.syscall(${process.arch === 'x64' ? 56 : 220}, 0x10000000 | 17, 0, 0, 0, 0))`,
        'of another process': 'libc.setns(os.open("/proc/self/ns/user", 0), 0)',
      });
      expect(outcomes).toEqual({
        'of users': '-1',
        'of networks': '-1',
        'with a process': '-1',
        'of another process': '-1',
      });
    });

    const filtered = (isShared || isolation.filtersCalls) && process.arch === 'x64' ? test : test.skip;
    filtered('makes no call of the kernel that no namespace separates', async () => {
      const outcomes = await perform(kind, {
        'add a key': "system_call(248, b'user', b'x', b'y', 1, -3)",
        'find a key': "system_call(249, b'user', b'x', 0, -3)",
        'read keys': "system_call(250, 10, -3, b'user', b'x', 0)",
        'sockets without sockets': 'system_call(425, 8, 0)',
        'programs in the kernel': 'system_call(321, 0, 0, 0)',
        counters: 'system_call(298, 0, 0, -1, -1, 0)',
        faults: 'system_call(323, 0)',
        'the host of the machine': 'connect(40, (2, 1024))',
        packets: 'socket.socket(17, socket.SOCK_RAW, 3)',
        'ciphers of the kernel': 'socket.socket(38, socket.SOCK_SEQPACKET)',
        // getpid by the numbers of 32-bit programs, and of 64-bit programs with 32-bit pointers.
        '32 bits': `(lambda page: (page.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3'), ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())[1])(mmap.mmap(-1, 4096, prot=7))`,
        x32: 'system_call(0x40000000 + 39)',
      });
      expect(outcomes).toEqual({
        'add a key': "'EPERM'",
        'find a key': "'EPERM'",
        'read keys': "'EPERM'",
        'sockets without sockets': "'EPERM'",
        'programs in the kernel': "'EPERM'",
        counters: "'EPERM'",
        faults: "'EPERM'",
        'the host of the machine': 'EAFNOSUPPORT',
        packets: 'EAFNOSUPPORT',
        'ciphers of the kernel': 'EAFNOSUPPORT',
        '32 bits': '-38',
        x32: "'ENOSYS'",
      });
    });

    const networked = restrictsNetwork(isolation) ? test : test.skip;
    networked('connects to nothing of the machine', async () => {
      const outcomes = await perform(kind, {
        'a Unix socket': `connect(socket.AF_UNIX, ${JSON.stringify(socketPath)})`,
        'an abstract socket': `connect(socket.AF_UNIX, '\\0${abstractName}')`,
        'a Unix socket from a pair': `socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', ${JSON.stringify(socketPath)})`,
        'a Unix socket from a raw pair': `socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)[0].sendto(b'x', ${JSON.stringify(socketPath)})`,
        'the machine': "connect(socket.AF_INET, ('127.0.0.1', 22))",
        'the metadata service': "connect(socket.AF_INET, ('169.254.169.254', 80))",
        'the raw sockets': 'socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)',
        'a new address':
          "__import__('fcntl').ioctl(socket.socket(), 0x8914, b'lo'.ljust(16, b'\\0') + b'\\x09\\0' + bytes(22))",
        'a datagram': "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('169.254.169.254', 53))",
        'with the first data': "socket.socket().sendto(b'x', 0x20000000, ('169.254.169.254', 80))",
        'by several paths':
          "(lambda end: end.connect(('169.254.169.254', 80)))(socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))",
      });
      expect(outcomes).toEqual({
        'a Unix socket': isShared ? 'EAFNOSUPPORT' : 'ENOENT',
        'an abstract socket': isShared ? 'EAFNOSUPPORT' : 'ECONNREFUSED',
        'a Unix socket from a pair': isShared ? 'EPERM' : 'ENOENT',
        'a Unix socket from a raw pair': isShared ? 'EPERM' : 'ENOENT',
        'the machine': isShared ? 'EACCES' : 'ECONNREFUSED',
        'the metadata service': isShared ? 'EACCES' : 'ENETUNREACH',
        'the raw sockets': 'EPERM',
        'a new address': 'EPERM',
        'a datagram': isShared ? 'EPERM' : 'ENETUNREACH',
        'with the first data': isShared ? 'EPERM' : 'ENETUNREACH',
        'by several paths': expect.stringMatching(isShared ? /EPERM/ : /ENETUNREACH|EPROTONOSUPPORT|ENOPROTOOPT/),
      });
    });

    const separated = isShared ? test.skip : test;
    separated('sees no interface of the machine', async () => {
      const outcomes = await perform(kind, { interfaces: '[name for _, name in socket.if_nameindex()]' });
      expect(outcomes).toEqual({ interfaces: "['lo']" });
    });

    const confined = isShared ? test : test.skip;
    confined('learns no name of a file outside by watching its folder', async () => {
      const outcomes = await perform(kind, {
        'a folder': "checked(libc.inotify_add_watch(checked(libc.inotify_init1(0)), b'/etc', 0x100))",
        'a file system': 'checked(libc.fanotify_init(0x200, 0))',
      });
      expect(outcomes).toEqual({ 'a folder': 'EPERM', 'a file system': 'EPERM' });
    });

    confined('listens on no port of the machine, and reads only its interfaces from the kernel', async () => {
      const outcomes = await perform(kind, {
        'a port': "socket.socket().bind(('127.0.0.1', 0))",
        'a port that it does not choose': 'socket.socket().listen()',
        'a file': "(lambda path: socket.socket(socket.AF_UNIX).bind(path))(str(ctx.scratch / 's'))",
        'a pair': 'len(socket.socketpair())',
        'a pair of packets': 'len(socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))',
        sockets: 'socket.socket(16, socket.SOCK_RAW, 4)',
        queues: `libc.mq_open(b'/x', 0o102, 0o600, None)`,
      });
      expect(outcomes).toEqual({
        'a port': 'EACCES',
        'a port that it does not choose': 'EPERM',
        'a file': 'EAFNOSUPPORT',
        'a pair': '2',
        'a pair of packets': '2',
        sockets: 'EPERM',
        queues: '-1',
      });
    });

    // Without an account of their own, tasks can do this: see docs/operations/python-isolation.md.
    const ofOthers = isShared && isolation.account === null ? test.skip : test;
    ofOthers('changes no permissions, owners and times of files outside of its folder', async () => {
      const secret = JSON.stringify(join(home, 'secrets.key'));
      const outcomes = await perform(kind, {
        permissions: `os.chmod(${secret}, 0o777)`,
        owner: `os.chown(${secret}, os.getuid(), -1)`,
        times: `os.utime(${secret}, (0, 0))`,
        attributes: `os.setxattr(${secret}, 'user.x', b'x')`,
        'an opened file': 'os.fchmod(os.open(sys.executable, os.O_RDONLY), 0o777)',
      });
      const failed = Object.entries(outcomes).filter(([, outcome]) => !/^E/.test(outcome));
      expect(failed).toEqual([]);
    });
  });

  describe('a bomb', () => {
    test.each([
      // Bounded, so that a machine that doesn't stop them survives.
      ['of processes', 'for _ in range(9): os.fork()\nwhile True: pass', 'task-processes-exceeded'],
      [
        'of files',
        `for i in range(10_000): write(ctx.scratch / str(i), 'x' * 100_000)\nwhile True: pass`,
        'task-disk-exceeded',
      ],
      [
        'of files in its /tmp',
        `for i in range(10_000): write(f'/tmp/{i}', 'x' * 100_000)\nwhile True: pass`,
        'task-disk-exceeded',
      ],
      ['of memory', 'blocks = [bytearray(10_000_000) for _ in range(300)]\nwhile True: pass', 'task-memory-exceeded'],
    ])('%s is stopped, and leaves nothing', async (where, body, code) => {
      // Landlock mounts nothing at /tmp.
      if (isShared && where === 'of files in its /tmp') return;
      const { result, workDir } = await task(kind, body);
      expect(result).toMatchObject({ status: 'failed', failure: { code } });
      expect(processesWith(workDir)).toEqual([]);
      await removeFolder(workDir);
      expect(existsSync(workDir)).toBe(false);
    });
  });

  describe('links that a task leaves', () => {
    test("don't replace its result with the file of another task, however fast they change", async () => {
      const target = join(other, 'output/data.ndjson');
      const { result, workDir } = await task(
        kind,
        `
import json
folder = ctx.scratch.parent / 'output'
if os.fork() == 0:
    os.setsid()
    while True:
        for name in ('data.ndjson', 'result.json'):
            os.symlink(${JSON.stringify(target)}, folder / 'link')
            os.replace(folder / 'link', folder / name)
            write(folder / 'draft', json.dumps({'status': 'succeeded', 'kind': 'table', 'file': 'data.ndjson', 'format': 'ndjson', 'rows': 1, 'columns': None}))
            os.replace(folder / 'draft', folder / name)
__import__('time').sleep(0.2)
os._exit(0)`,
      );
      // Nothing of the task runs any more, so what was checked stays.
      expect(processesWith(workDir)).toEqual([]);
      if (result.status === 'succeeded') expect(lstatSync(join(workDir, 'output/data.ndjson')).isFile()).toBe(true);
      else expect(result.failure.code).toBe('task-failed');
    });

    test("don't lead the removal of its folder to another one", async () => {
      const { workDir } = await task(
        kind,
        `os.symlink(${JSON.stringify(other)}, ctx.scratch / 'other')
os.rename(ctx.scratch.parent / 'shm', ctx.scratch / 'shm')
os.symlink(${JSON.stringify(other)}, ctx.scratch.parent / 'shm')`,
      );
      await removeFolder(workDir);
      expect(existsSync(workDir)).toBe(false);
      expect(readdirSync(join(other, 'output'))).toEqual(['data.ndjson']);
    });
  });
});
