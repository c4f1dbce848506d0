import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPython } from '../programs/find-tools.ts';
import { PythonInterpreter } from '../python/python-interpreter.ts';
import { type PythonWork, preparePython } from '../runs/python-environment.ts';
import { isolationHere, limitedHere, processesWith } from '../testing/index.ts';
import { type Bubblewrap, findIsolation, runIsolated } from './index.ts';
import { tracePath } from './trace-path.ts';

const PATH = process.env['PATH'] ?? '';
// Beside the folder of the system's temporary files and in it: a home can be in either.
const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-isolation-')));
const isolation = (await isolationHere(home)) as Bubblewrap;
const python = await findPython(null, null, PATH);
const isolated = isolation.kind === 'bubblewrap' && python !== null ? describe : describe.skip;
const NOTHING = { taskNetwork: [], isolationReadable: [], storageLocation: undefined, externalLocations: [], home };

const project = join(home, 'work/projects/one');
const work = join(home, 'work/tasks/task-own');
beforeAll(() => {
  for (const folder of ['postgres/cluster', 'warehouse', 'work/environments/other', 'work/tasks/task-other/output'])
    mkdirSync(join(home, folder), { recursive: true });
  for (const file of ['secrets.key', 'warehouse/rows', 'postgres/cluster/password', 'work/tasks/task-other/output/a'])
    writeFileSync(join(home, file), 'canary');
  mkdirSync(project, { recursive: true });
  mkdirSync(work, { recursive: true });
  process.env['SVC_TEST_CANARY'] = 'canary';
});
afterAll(() => {
  delete process.env['SVC_TEST_CANARY'];
  rmSync(home, { recursive: true, force: true });
});

/** Runs Python in the sandbox of a task; returns what it printed, line by line. */
async function attempt(
  code: string,
  more: { signal?: AbortSignal; onLine?: (stream: string, line: string) => void } = {},
) {
  const result = await runIsolated(
    isolation,
    { interpreters: [python!.command], readable: [project], writable: [work] },
    { command: python!.command, args: ['-I', '-c', code], cwd: project, env: { PATH: '/usr/bin:/bin' }, ...more },
  );
  return { ...result, lines: result.stdout.trim().split('\n') };
}

const TRY = `
import os, signal, ctypes, sys
def attempt(what, act):
    try:
        print(what, 'DONE', act())
    except BaseException as error:
        print(what, type(error).__name__)
`;

isolated('a hostile task', () => {
  const worker = process.pid;

  test('reads neither variables, nor memory, nor files of the worker, nor those of other tasks', async () => {
    const { lines, stdout } = await attempt(`${TRY}
for path in ${JSON.stringify(['secrets.key', 'postgres/cluster/password', 'warehouse/rows', 'work/tasks/task-other/output/a'].map((name) => join(home, name)))}:
    attempt(path.rsplit('/', 1)[1], lambda: open(path).read())
for pid in os.listdir('/proc'):
    if pid.isdigit():
        if 'canary' in open(f'/proc/{pid}/environ').read(): print('FOUND')
attempt('environ', lambda: open('/proc/${worker}/environ').read())
attempt('memory', lambda: open('/proc/${worker}/mem', 'rb'))
attempt('home', lambda: os.listdir(${JSON.stringify(home)}))
attempt('shadow', lambda: open('/etc/shadow').read())
print(sorted(os.listdir('/')))
`);
    expect(lines.slice(0, 7)).toEqual([
      'secrets.key FileNotFoundError',
      'password FileNotFoundError',
      'rows FileNotFoundError',
      'a FileNotFoundError',
      'environ FileNotFoundError',
      'memory FileNotFoundError',
      "home DONE ['work']",
    ]);
    expect(lines[7]).toBe('shadow FileNotFoundError');
    expect(stdout).not.toMatch(/canary|FOUND$|'root'.*'srv'/m);
  });

  test('neither traces nor signals it, and gains no rights', async () => {
    const { lines } = await attempt(`${TRY}
libc = ctypes.CDLL(None, use_errno=True)
attempt('kill', lambda: os.kill(${worker}, 0))
print('ptrace', libc.ptrace(16, ${worker}, 0, 0))
print('unshare', libc.unshare(0x10000000))
print('mount', libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))
attempt('everybody', lambda: os.kill(-1, 0))
print(open('/proc/self/status').read().split('CapEff:')[1].split()[0])
print(open('/proc/self/status').read().split('NoNewPrivs:')[1].split()[0])
`);
    expect(lines[0]).toBe('kill ProcessLookupError');
    expect(lines[1]).toBe('ptrace -1');
    // An old bubblewrap allows a sandbox within a sandbox, with no more rights outside of it.
    if (isolation.further.length > 0) expect(lines[2]).toBe('unshare -1');
    expect(lines[3]).toBe('mount -1');
    expect(lines.slice(-2)).toEqual(['0000000000000000', '1']);
  });

  test('writes its own folder alone', async () => {
    const { lines } = await attempt(`${TRY}
def write(path):
    with open(path, 'w') as file: file.write('x')
for path in ${JSON.stringify([join(work, 'own'), join(project, 'code.py'), '/usr/x', '/etc/x', '/x', '/proc/sys/kernel/core_pattern', '/proc/self/oom_score_adj', '/tmp/private', join(home, 'x')])}:
    attempt(path, lambda: write(path))
`);
    const ends = lines.map((line) => line.split(' ')[1]);
    // The last one is in the task's own /tmp if the home is there.
    expect(ends.slice(0, 8)).toEqual(['DONE', ...Array(6).fill('OSError'), 'DONE']);
    expect(readdirSync(home)).not.toContain('x');
    expect(readFileSync(join(work, 'own'), 'utf8')).toBe('x');
    expect(readdirSync(project)).toEqual([]);
    expect(readdirSync(tmpdir())).not.toContain('private');
  });

  test('leaves nothing running: neither a daemon at its end nor anything when it is stopped', async () => {
    const canary = `svc-daemon-${process.pid}`;
    const daemon = `
import os, subprocess, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, '-I', '-c', 'import time; time.sleep(600)', '${canary}'])
    os._exit(0)
print('up', flush=True)
`;
    expect(await attempt(daemon)).toMatchObject({ exitCode: 0, lines: ['up'] });
    expect(processesWith(canary)).toEqual([]);
    const controller = new AbortController();
    const stopped = await attempt(`${daemon}\ntime.sleep(600)`, {
      signal: controller.signal,
      onLine: () => controller.abort(),
    });
    expect(stopped).toMatchObject({ outcome: 'aborted', exitCode: null });
    expect(processesWith(canary)).toEqual([]);
  });

  test('ends with the worker, however that ends', async () => {
    const seconds = `600.1${process.pid}`;
    const program = fileURLToPath(new URL('../testing/sandboxed-process.ts', import.meta.url));
    const root = fileURLToPath(new URL('../../../..', import.meta.url));
    const execArgv = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
    const doomed = fork(program, [JSON.stringify(isolation), `sleep ${seconds} & echo up; wait`], {
      cwd: root,
      execArgv,
    });
    await once(doomed, 'message');
    while (processesWith(seconds).length === 0);
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    // The kernel kills them when it has reported the worker's exit.
    while (processesWith(seconds).length > 0) await setImmediate();
  }, 30_000);

  test('ends with its exit code and its signal', async () => {
    expect(await attempt('raise SystemExit(3)')).toMatchObject({ exitCode: 3, signal: null, outcome: 'by-itself' });
    expect(await attempt('import os; os.kill(os.getpid(), 9)')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    const gone = { command: join(home, 'gone'), args: [], cwd: project, env: {} };
    const paths = { interpreters: [], readable: [], writable: [] };
    expect(await runIsolated(isolation, paths, gone)).toMatchObject({ outcome: 'not-started' });
  });

  test('rejects an output folder that the task replaced with a link', async () => {
    const other = join(home, 'work/tasks/task-other/output');
    writeFileSync(join(other, 'data.ndjson'), '{"n": 1}\n');
    const report = {
      status: 'succeeded',
      kind: 'table',
      file: 'data.ndjson',
      format: 'ndjson',
      rows: 1,
      columns: null,
    };
    writeFileSync(join(other, 'result.json'), JSON.stringify(report));
    const support = join(home, 'work/environments/support');
    mkdirSync(join(support, 'svc'), { recursive: true });
    writeFileSync(join(support, 'svc/__init__.py'), '');
    const swap = `import json, os, sys\nout = json.loads(sys.stdin.readline())['output']\nos.rmdir(out)\nos.symlink(${JSON.stringify(other)}, out)\n`;
    writeFileSync(join(support, 'svc/_runner.py'), swap);
    const task = { asset: 'a.b', kind: 'table', file: 'a.py', function: 'f', runId: 'r', environment: 'dev' } as const;
    const paths = { support, projectDir: project, workDir: work, python: python!.command };
    const limited = await limitedHere(isolation, python);
    const result = await new PythonInterpreter({ ...paths, isolation, limited, network: null }).run({
      ...task,
      onLine: () => {},
      url: 'http://127.0.0.1:9',
      token: 'secret',
    });
    expect(result).toMatchObject({ status: 'failed', failure: { code: 'task-failed' } });
  });
});

isolated('a sandbox', () => {
  test('shows what the operator adds, and never the home in it', async () => {
    const shown = { ...isolation, readable: [join(home, '..')], hidden: [home] };
    const paths = { interpreters: [], readable: [], writable: [] };
    const list = {
      command: '/bin/sh',
      args: ['-c', `cat ${home}/secrets.key; ls -d ${home}`],
      cwd: '/',
      env: { PATH },
    };
    expect(await runIsolated(shown, paths, list)).toMatchObject({
      stdout: `${home}\n`,
      stderr: expect.stringContaining('No such file'),
    });
  });

  test('has an interpreter that links outside of it lead to', async () => {
    mkdirSync(join(home, 'links'));
    symlinkSync(python!.command, join(home, 'links/first'));
    symlinkSync('first', join(home, 'links/second'));
    const command = join(home, 'links/second');
    const paths = { interpreters: [command], readable: [], writable: [] };
    const program = { command, args: ['-I', '-c', 'import json; print(1)'], cwd: '/', env: {} };
    expect(await runIsolated(isolation, paths, program)).toMatchObject({ exitCode: 0, stdout: '1\n' });
  });
});

describe('without bubblewrap', () => {
  test('auto runs tasks with a note; a required sandbox fails with cause and remedy; none has no note', async () => {
    const auto = await findIsolation({ ...NOTHING, isolation: 'auto' }, '/nonexistent');
    expect(auto).toMatchObject({
      isolation: { kind: 'none' },
      note: expect.stringMatching(/can read everything that it can read/),
    });
    const demanded = await findIsolation({ ...NOTHING, isolation: 'bubblewrap' }, '/nonexistent');
    expect(demanded).toMatchObject({ isolation: { kind: 'missing' }, note: expect.stringMatching(/can't run/) });
    const never = await findIsolation({ ...NOTHING, isolation: 'none' }, PATH);
    expect(never).toEqual({ isolation: { kind: 'none' }, note: null });
    const paths = { interpreters: [], readable: [], writable: [] };
    const shell = { command: '/bin/sh', args: ['-c', 'exit 0'], cwd: '/', env: {} };
    expect(await runIsolated(demanded.isolation, paths, shell)).toMatchObject({ outcome: 'not-started' });
    const refused = { deps: { isolation: demanded.isolation } } as PythonWork;
    expect(await preparePython(refused)).toMatchObject({
      code: 'isolation-missing',
      detail: expect.stringContaining("bubblewrap (bwrap) isn't installed"),
      remedy: expect.stringContaining('SVC_RUN__ISOLATION'),
    });
  });

  test('where networks cannot be separated, tasks have the network of the worker with a note, or do not run', async () => {
    const folder = join(home, 'networks');
    mkdirSync(folder);
    const script = '#!/bin/sh\ncase "$*" in *--unshare-net*) exit 1;; esac\n';
    writeFileSync(join(folder, 'bwrap'), script, { mode: 0o755 });
    if (process.platform !== 'linux') return;
    const auto = await findIsolation({ ...NOTHING, isolation: 'auto' }, folder);
    expect(auto).toMatchObject({
      isolation: { kind: 'bubblewrap', ownNetwork: false },
      note: expect.stringMatching(/can connect to everything that this machine reaches/),
    });
    const demanded = await findIsolation({ ...NOTHING, isolation: 'bubblewrap' }, folder);
    expect(demanded).toMatchObject({
      isolation: { kind: 'missing', reason: expect.stringContaining('SVC_RUN__NETWORK=unrestricted') },
    });
    const open = { ...NOTHING, isolation: 'bubblewrap', taskNetwork: 'unrestricted' } as const;
    expect(await findIsolation(open, folder)).toMatchObject({ isolation: { kind: 'bubblewrap' }, note: null });
    const approved = [{ host: 'api.example.com', port: null }];
    const never = await findIsolation({ ...NOTHING, isolation: 'none', taskNetwork: approved }, folder);
    expect(never.note).toMatch(/SVC_RUN__NETWORK has no effect/);
  });

  test('one that does not work says why', async () => {
    const folder = join(home, 'broken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: no permissions" >&2\nexit 1\n', { mode: 0o755 });
    const { note } = await findIsolation({ ...NOTHING, isolation: 'auto' }, folder);
    if (process.platform === 'linux') expect(note).toContain('(bwrap: no permissions); allow user namespaces');
  });

  test('a path is walked link by link; a circle and what is missing lead nowhere', async () => {
    mkdirSync(join(home, 'walk/real'), { recursive: true });
    symlinkSync('real', join(home, 'walk/to'));
    symlinkSync('b', join(home, 'walk/a'));
    symlinkSync('a', join(home, 'walk/b'));
    expect(await tracePath(join(home, 'walk/to'))).toEqual({
      links: [{ at: join(home, 'walk/to'), to: 'real' }],
      target: join(home, 'walk/real'),
    });
    expect(await tracePath(join(home, 'walk/a'))).toBeNull();
    expect(await tracePath(join(home, 'walk/to/nothing'))).toBeNull();
  });
});
