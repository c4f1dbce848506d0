import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Isolation } from '../isolation/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import { findPython } from '../programs/find-tools.ts';
import { isolationHere, landlockHere, limitedHere, processesWith } from '../testing/index.ts';
import { removeFolder, runLimited, type TaskLimits } from './index.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-limits-')));
const isolation = await isolationHere(base);
const python = (await findPython(null, null, process.env['PATH'] ?? '')) as InstalledTool;
afterAll(() => removeFolder(base));

async function attempt(code: string, limits: Partial<TaskLimits>, how: Isolation = isolation) {
  const folder = mkdtempSync(join(base, 'task-'));
  const temporary = { files: join(folder, 'tmp'), memory: join(folder, 'shm') };
  for (const path of Object.values(temporary)) mkdirSync(path);
  const limited = { ...(await limitedHere(how, python, limits)), python: python.command, folder };
  const paths = { interpreters: [python.command], readable: [], writable: [folder], temporary };
  const program = { command: python.command, args: ['-I', '-c', code], cwd: folder, env: { PATH: '/usr/bin:/bin' } };
  return { ...(await runLimited({ isolation: how, paths, limited }, program)), folder, by: limited.enforcement.by };
}

/** Busy for as long as nothing kills it. */
const FOREVER = 'while True: pass';
const MB = 1e6;

// Bounded, so that a machine that doesn't stop them survives.
const BOMB = `import os
for _ in range(9): os.fork()
while True: pass
`;
const DAEMONS = `import os, signal
for _ in range(300):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: signal.pause()
        os._exit(0)
signal.pause()
`;
const SESSIONS = DAEMONS.replace('if os.fork() == 0: signal', 'signal');
const THREADS = `import threading, time
for _ in range(300): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
${FOREVER}
`;
const HOG = 'blocks = []\nfor _ in range(200): blocks.append(bytearray(10_000_000))\nwhile True: pass';
const CHILDREN_HOG = `import os, time
for _ in range(4):
    if os.fork() == 0:
        blocks = bytearray(60_000_000)
        time.sleep(600)
os.wait()`;
const IN_MEMORY = `import os
file = os.memfd_create('hidden')
for _ in range(1000): os.write(file, bytes(1_000_000))
${FOREVER}`;
const ONE_FILE = "file = open('big', 'wb')\nfor _ in range(1000): file.write(bytes(1_000_000))";
const MANY_FILES = `import os
for i in range(100_000):
    if i % 500 == 0: os.mkdir(f'd{i // 500}')
    open(f'd{i // 500}/{i}', 'w').close()
${FOREVER}`;
const IN_TMP = `for i in range(1000): open(f'/tmp/{i}', 'wb').write(bytes(1_000_000))
${FOREVER}`;
const IN_SHM = `for i in range(1000): open(f'/dev/shm/{i}', 'wb').write(bytes(1_000_000))
${FOREVER}`;
const DELETED = `import os
files = []
for i in range(30):
    files.append(open('gone', 'wb'))
    os.unlink('gone')
    files[-1].write(bytes(5_000_000))
    files[-1].flush()
${FOREVER}`;
const HIDDEN = `import os
os.makedirs('closed/in')
os.chmod('closed', 0)
${FOREVER}`;
const DEEP = `import os
for _ in range(60):
    os.mkdir('x' * 100)
    os.chdir('x' * 100)
${FOREVER}`;

const sandboxed = isolation.kind === 'bubblewrap' && python !== null ? describe : describe.skip;

sandboxed('a task in a sandbox that goes over a limit is killed whole', () => {
  test.each([
    ['a fork bomb', BOMB, { processes: 50 }, 'processes'],
    ['daemons that leave their session', DAEMONS, { processes: 50 }, 'processes'],
    ['threads without end', THREADS, { processes: 50 }, 'processes'],
    ['memory without end', HOG, { memory: 200 * MB }, 'memory'],
    ['memory of children', CHILDREN_HOG, { memory: 200 * MB }, 'memory'],
    ['files in memory that no process maps', IN_MEMORY, { memory: 200 * MB }, 'memory'],
    ['many small files', MANY_FILES, { disk: 20 * MB }, 'disk'],
    ['files in /tmp', IN_TMP, { disk: 50 * MB }, 'disk'],
    ['files in /dev/shm', IN_SHM, { disk: 50 * MB }, 'disk'],
    ['deleted files that are open', DELETED, { disk: 100 * MB }, 'disk'],
    ['folders nested without end', DEEP, { disk: 100 * MB }, 'disk'],
  ] as const)('%s', async (_, code, limits, limit) => {
    const result = await attempt(code, limits);
    expect(result).toMatchObject({ exitCode: null, breach: { limit, bound: Object.values(limits)[0] } });
    expect(processesWith(code)).toEqual([]);
  });

  test('one big file is refused by the kernel', async () => {
    const result = await attempt(ONE_FILE, { disk: 50 * MB });
    expect(result.exitCode).not.toBe(0);
    if (result.breach === null) expect(result.stderr).toContain('File too large');
  });

  test('open files are refused by the kernel', async () => {
    const code = "files = []\nwhile True: files.append(open('/dev/null'))";
    const result = await attempt(code, { open_files: 40 });
    expect(result).toMatchObject({ exitCode: 1, breach: null, stderr: expect.stringContaining('Too many open files') });
  });
});

// To root no folder is closed.
const withoutRoot = sandboxed === describe && process.getuid?.() !== 0 ? test : test.skip;
withoutRoot('a folder that hides its files counts as too much', async () => {
  expect((await attempt(HIDDEN, { disk: 100 * MB })).breach).toMatchObject({
    limit: 'disk',
    measured: null,
    note: expect.stringContaining("can't be read"),
  });
});

chmodSync(base, 0o711);
const landlock = await landlockHere([base]);
const withLandlock = landlock === null ? describe.skip : describe;
withLandlock('a worker without the right to see every process', () => {
  /** Runs code in a worker of this account that has no capability to see the open files of others. */
  function attemptIn(account: number | null, code: string) {
    const { isolation: found, python: interpreter } = landlock!;
    const task = {
      ...{ isolation: { ...found, account }, python: interpreter, limits: { disk: 100 * MB }, code },
      folder: mkdtempSync(join(base, 'task-')),
    };
    const program = fileURLToPath(new URL('../testing/limited-process.ts', import.meta.url));
    const root = fileURLToPath(new URL('../../../..', import.meta.url));
    const node = [process.execPath, '--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
    const without = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_ptrace'] : [];
    const [command, ...args] = [...without, ...node, program, JSON.stringify(task)];
    return JSON.parse(execFileSync(command!, args, { cwd: root, encoding: 'utf8' }));
  }

  test('counts open files that a task hides as too much', () => {
    const hide = `import ctypes\nctypes.CDLL(None).prctl(4, 0)\n${FOREVER}`;
    expect(attemptIn(null, hide)).toMatchObject({
      breach: { limit: 'disk', measured: null, note: expect.stringContaining('hides its open files') },
    });
  });

  const asRoot = process.getuid?.() === 0 ? test : test.skip;
  asRoot('says that open files of tasks with another account do not count, and runs them', () => {
    const { breach, notes } = attemptIn(landlock!.isolation.account, 'pass');
    expect(breach).toBeNull();
    expect(notes).toContainEqual(expect.stringMatching(/don't count for its disk limit.*CAP_SYS_PTRACE/));
  });
});

const onLinux = process.platform === 'linux' && python !== null ? describe : describe.skip;
onLinux('a task without a sandbox', () => {
  const none: Isolation = { kind: 'none' };

  test.each([
    ['processes', BOMB, { processes: 50 }, 'processes'],
    ['children in sessions of their own', SESSIONS, { processes: 50 }, 'processes'],
    ['memory', HOG, { memory: 200 * MB }, 'memory'],
    ['disk', MANY_FILES, { disk: 20 * MB }, 'disk'],
  ] as const)('is killed for %s', async (_, code, limits, limit) => {
    const result = await attempt(code, limits, none);
    expect(result).toMatchObject({ exitCode: null, breach: { limit, bound: Object.values(limits)[0] } });
    expect(processesWith(code)).toEqual([]);
  });
});

sandboxed('a task in a sandbox within its limits', () => {
  test('continues beside one that exceeds its limit, and leaves nothing that counts against it', async () => {
    let up: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      up = resolve;
    });
    const folder = mkdtempSync(join(base, 'task-'));
    const temporary = { files: join(folder, 'tmp'), memory: join(folder, 'shm') };
    for (const path of Object.values(temporary)) mkdirSync(path);
    const limited = {
      ...(await limitedHere(isolation, python, { processes: 50, memory: 200 * MB, disk: 50 * MB })),
      python: python.command,
      folder,
    };
    const paths = { interpreters: [python.command], readable: [], writable: [folder], temporary };
    const code = `import os, sys, time
print('up', flush=True)
while not os.path.exists('go'): pass
children = [os.fork() for _ in range(1)]
print('done')`;
    const neighbour = runLimited(
      { isolation, paths, limited },
      {
        command: python.command,
        args: ['-I', '-c', code],
        cwd: folder,
        env: { PATH: '/usr/bin:/bin' },
        onLine: () => up(),
      },
    );
    await started;
    expect((await attempt(BOMB, { processes: 50 })).breach).toMatchObject({ limit: 'processes' });
    expect((await attempt(HOG, { memory: 200 * MB })).breach).toMatchObject({ limit: 'memory' });
    mkdirSync(join(folder, 'go'));
    expect(await neighbour).toMatchObject({ exitCode: 0, breach: null });
  });

  test('may share memory among its processes, and use /tmp and shared memory', async () => {
    const code = `import multiprocessing, os, tempfile, time
from multiprocessing import shared_memory
blocks = bytearray(os.urandom(1)) * 100_000_000
def work(_): return len(blocks)
with multiprocessing.get_context('fork').Pool(4) as pool: print(sum(pool.map(work, range(8))))
block = shared_memory.SharedMemory(create=True, size=1_000_000)
block.buf[0] = 7
block.close(); block.unlink()
open('/tmp/x', 'w').write('x')
print('x' in os.listdir('/tmp'))`;
    const limits = { memory: 250 * MB, processes: 100, open_files: 100, disk: 50 * MB };
    expect(await attempt(code, limits)).toMatchObject({
      exitCode: 0,
      breach: null,
      stdout: '800000000\nTrue\n',
    });
  });
});
