import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseApprovedHost } from '@svc/core/addresses';
import { ServiceRelay } from '../outgoing/index.ts';
import { PythonInterpreter } from '../python/python-interpreter.ts';
import { landlockHere, limitedHere, processesWith } from '../testing/index.ts';
import { findIsolation, runIsolated, type SandboxPaths } from './index.ts';

const PATH = process.env['PATH'] ?? '';
const support = fileURLToPath(new URL('../../../sdk-python/src', import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-landlock-')));
chmodSync(home, 0o711);
const here = await landlockHere([support, home]);
const landlock = here === null ? describe.skip : describe;
const NOTHING = { taskNetwork: [], isolationReadable: [], storageLocation: undefined, externalLocations: [], home };

const project = join(home, 'project');
let server: Server;
let port: number;
beforeAll(async () => {
  mkdirSync(project);
  server = createServer((req, res) => res.end(`${req.method} ${req.url}`));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(home, { recursive: true, force: true });
});

/** Runs Python under rules of Landlock. */
function run(
  code: string,
  paths: Partial<SandboxPaths> = {},
  more: { signal?: AbortSignal; onLine?: (stream: string, line: string) => void } = {},
) {
  const { isolation, python } = here!;
  return runIsolated(
    isolation,
    { interpreters: [python.command], readable: [], writable: [], ...paths },
    { command: python.command, args: ['-I', '-c', code], cwd: '/', env: { PATH: '/usr/bin:/bin' }, ...more },
  );
}

const OPEN = (path: string) => `
try: print(open(${JSON.stringify(path)}).read())
except OSError as error: print(error.strerror)`;

landlock('processes under rules of Landlock', () => {
  test('leave nothing running: neither a daemon when they exit nor anything when they are stopped', async () => {
    const canary = `svc-landlock-daemon-${process.pid}`;
    const daemon = `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, '-I', '-c', 'import time; time.sleep(600)', '${canary}'])
    os._exit(0)
os.wait()
print('up', flush=True)
`;
    expect(await run(daemon)).toMatchObject({ exitCode: 0, stdout: 'up\n' });
    expect(processesWith(canary)).toEqual([]);
    const controller = new AbortController();
    const stopped = await run(
      `${daemon}\ntime.sleep(600)`,
      {},
      {
        signal: controller.signal,
        onLine: () => controller.abort(),
      },
    );
    expect(stopped).toMatchObject({ outcome: 'aborted', exitCode: null });
    expect(processesWith(canary)).toEqual([]);
  });

  test('exit with the worker, however that exits', async () => {
    const seconds = `600.2${process.pid}`;
    const program = fileURLToPath(new URL('../testing/sandboxed-process.ts', import.meta.url));
    const root = fileURLToPath(new URL('../../../..', import.meta.url));
    const execArgv = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
    const command = `setsid sleep ${seconds} & echo up; wait`;
    const doomed = fork(program, [JSON.stringify(here!.isolation), command], { cwd: root, execArgv });
    await once(doomed, 'message');
    while (processesWith(seconds).length === 0);
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    while (processesWith(seconds).length > 0) await setImmediate();
  }, 30_000);

  test('return their exit code and their signal', async () => {
    expect(await run('raise SystemExit(3)')).toMatchObject({ exitCode: 3, signal: null, outcome: 'by-itself' });
    expect(await run('import os; os.kill(os.getpid(), 9)')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    const gone = { command: join(home, 'gone'), args: [], cwd: '/', env: {} };
    const paths = { interpreters: [], readable: [], writable: [] };
    expect(await runIsolated(here!.isolation, paths, gone)).toMatchObject({ outcome: 'not-started' });
  });

  test('see what the operator adds, and never the hidden folders in it, not even through links', async () => {
    const shown = join(home, 'shown');
    mkdirSync(join(shown, 'deep/secret/own'), { recursive: true });
    for (const name of ['deep/secret/key', 'deep/secret/own/file', 'deep/other', 'top'])
      writeFileSync(join(shown, name), name);
    symlinkSync('deep/secret', join(shown, 'link'));
    const { isolation, python } = here!;
    const code = ['top', 'deep/other', 'deep/secret/key', 'link/key', 'deep/secret/own/file']
      .map((name) => OPEN(join(shown, name)))
      .join('');
    const result = await runIsolated(
      { ...isolation, readable: [shown], hidden: [join(shown, 'deep/secret')] },
      { interpreters: [python.command], readable: [join(shown, 'deep/secret/own')], writable: [] },
      { command: python.command, args: ['-I', '-c', code], cwd: '/', env: {} },
    );
    const expected = ['top', 'deep/other', 'Permission denied', 'Permission denied', 'deep/secret/own/file'];
    expect(result.stdout.trim().split('\n')).toEqual(expected);
  });

  test('connect to one port, or to everything if their network is that of the worker', async () => {
    const connect = `import socket\nprint(socket.create_connection(('127.0.0.1', ${port})).getpeername()[1])`;
    expect((await run(connect)).stderr).toContain('Permission denied');
    expect((await run(connect, { network: { kind: 'port', port: port - 1 } })).stderr).toContain('Permission denied');
    expect((await run(connect, { network: { kind: 'port', port } })).stdout).toBe(`${port}\n`);
    expect((await run(connect, { network: { kind: 'worker' } })).stdout).toBe(`${port}\n`);
  });

  test('that run none of the project’s code have the account of the worker, without its rights', async () => {
    const code = `import os; print(os.getuid(), [line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm'))])`;
    const asWorker = await run(code, { runsAsWorker: true });
    expect(asWorker.stdout).toBe(`${process.getuid!()} ['0000000000000000', '0000000000000000']\n`);
    const own = await run(code);
    expect(own.stdout).toMatch(new RegExp(`^${here!.isolation.account ?? process.getuid!()} `));
  });
});

landlock('a task under rules of Landlock', () => {
  async function task(body: string, hosts: readonly string[] = []) {
    const { isolation, python } = here!;
    const workDir = mkdtempSync(join(home, 'task-'));
    const file = `a${process.hrtime.bigint()}.py`;
    writeFileSync(
      join(project, file),
      `import os, urllib.request\ndef build(ctx):\n${body.replace(/^/gm, '    ')}\n    return [{"n": 1}]\n`,
    );
    const service = new ServiceRelay(`http://127.0.0.1:${port}/below`, {}, null);
    const approved = ['api.example.com', '127.0.0.1'].map((text) => parseApprovedHost(text)!);
    const interpreter = new PythonInterpreter({
      isolation,
      limited: await limitedHere(isolation, python, { open_files: 64, processes: 50, memory: 1e9, disk: 1e7 }),
      network: { upstream: null, approved, service, hosts, resolve: async () => ['127.0.0.1'] },
      python: python.command,
      support,
      projectDir: project,
      workDir,
    });
    const lines: string[] = [];
    const result = await interpreter.run({
      ...({ asset: 'a.b', kind: 'table', file, function: 'build', runId: 'r', environment: 'dev' } as const),
      url: 'http://outside.example',
      token: 'svc_task_canary',
      onLine: (_, line) => lines.push(line),
    });
    service.close();
    return { lines, result };
  }
  const get = (url: string) => `print(urllib.request.urlopen(${url}).read().decode())`;

  test('writes its own folder, and reaches the service and approved hosts through the port of its proxy (RUN-18)', async () => {
    const { lines, result } = await task(
      `(ctx.scratch / 'own').write_text('x')
os.makedirs(ctx.scratch / 'a/b')
os.rename(ctx.scratch / 'own', ctx.scratch / 'a/b/own')
${get("os.environ['SVC_URL'] + '/api'")}
${get(`'http://api.example.com:${port}/host'`)}`,
      [`api.example.com:${port}`],
    );
    expect({ lines, result }).toMatchObject({
      lines: ['GET /below/api', 'GET /host'],
      result: { status: 'succeeded' },
    });
  });

  test('learns why it cannot connect to another host (RUN-18)', async () => {
    const { lines, result } = await task(get("'https://other.example/'"));
    const reason = expect.stringContaining('svc: tasks cannot connect to other.example:443');
    expect(lines).toContainEqual(reason);
    expect(result).toMatchObject({ status: 'failed', failure: { code: 'task-failed', detail: reason } });
    const direct = await task("__import__('socket').create_connection(('192.0.2.1', 5432))");
    const remedy = expect.stringMatching(/HTTPS_PROXY.*SVC_RUN__NETWORK/);
    expect(direct.result).toMatchObject({ status: 'failed', failure: { code: 'task-failed', remedy } });
    const file = await task("open('/etc/shadow')");
    expect(file.result).toMatchObject({ status: 'failed', failure: { remedy: null } });
  });
});

describe('SVC_RUN__ISOLATION', () => {
  const python = here?.python ?? null;

  landlock('where bubblewrap does not work', () => {
    test('required uses Landlock, with a note about what it leaves open (RUN-22)', async () => {
      const { isolation, note } = await findIsolation({ ...NOTHING, isolation: 'required' }, '/nonexistent', python);
      expect(isolation).toEqual({ ...here!.isolation, hidden: [home] });
      expect(note).toMatch(
        /restricted by Landlock instead of bubblewrap: .*command lines.*bubblewrap \(bwrap\) isn't installed/,
      );
    });

    test('landlock uses it where bubblewrap works, too', async () => {
      const { isolation } = await findIsolation({ ...NOTHING, isolation: 'landlock' }, PATH, python);
      expect(isolation.kind).toBe('landlock');
    });

    const asRoot = process.getuid?.() === 0 ? test : test.skip;
    asRoot('tasks are root without capabilities if another account cannot enter the folder', async () => {
      const closed = join(home, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      const inside = { ...NOTHING, isolation: 'landlock', home: join(closed, 'home') } as const;
      mkdirSync(inside.home);
      const { isolation, note } = await findIsolation(inside, PATH, python);
      expect(isolation).toMatchObject({ kind: 'landlock', account: null });
      expect(note).toMatch(/change permissions and times of files of the account/);
    });
  });

  test('required without either refuses tasks, and says how to allow them (RUN-22)', async () => {
    const { isolation, note } = await findIsolation({ ...NOTHING, isolation: 'required' }, '/nonexistent', null);
    expect(isolation.kind).toBe('missing');
    expect(note).toMatch(/^Python tasks can't run: /);
    expect(note).toMatch(/SVC_RUN__ISOLATION=none/);
    if (process.platform === 'linux') expect(note).toMatch(/install it.*Landlock needs Python/);
  });
});
