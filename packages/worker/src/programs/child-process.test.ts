import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child-process.ts';

const PATH = { PATH: '/usr/bin:/bin' };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-child-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const sh = (script: string, more: Partial<Parameters<typeof runChild>[0]> = {}) =>
  runChild({ command: '/bin/sh', args: ['-c', script], cwd: dir, env: PATH, ...more });

test('lines of both streams are complete and in order, and the last one needs no line break', async () => {
  const lines: string[] = [];
  const done = await sh('printf "a\\nb\\r\\nc"; printf "d\\n" >&2; printf "\\303"; printf "\\274"; exit 3', {
    onLine: (stream, line) => lines.push(`${stream}:${line}`),
  });
  expect(done).toMatchObject({ exitCode: 3, outcome: 'by-itself' });
  expect(lines.filter((line) => line.startsWith('stdout'))).toEqual(['stdout:a', 'stdout:b', 'stdout:cü']);
  expect(lines).toContain('stderr:d');
});

test('nothing of the surroundings passes through', async () => {
  const done = await sh('env');
  expect(done.stdout.split('\n').filter((line) => /^(?!PATH|PWD|SHLVL|_=|OLDPWD)./.test(line))).toEqual([]);
});

test('what the leader left running is killed with it', async () => {
  await sh(`sleep 600 & echo $! > ${dir}/pid`);
  const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : 'State: Z';
  // One that is on its way out has closed its files.
  expect(status).toMatch(/State:\s+[ZX]|FDSize:\s+0\n/);
});

test('what has left the group and holds the output open is not waited for', async () => {
  const leave = `const { spawn } = require('node:child_process');
    const left = spawn('sleep', ['600'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
    process.stdout.write(String(left.pid)); left.unref();`;
  const lines: string[] = [];
  const onLine = (_: string, line: string) => lines.push(line);
  const done = await runChild({ command: process.execPath, args: ['-e', leave], cwd: dir, env: PATH, onLine });
  process.kill(Number(done.stdout), 'SIGKILL');
  expect(done).toMatchObject({ exitCode: 0, outcome: 'by-itself' });
  expect(lines).toEqual([done.stdout]);
});

test('a limit or a signal kills the whole group, even one that ignores SIGTERM', async () => {
  expect(await sh('trap "" TERM; sleep 600 & wait; sleep 600', { timeoutMs: 50 })).toMatchObject({
    outcome: 'timeout',
    exitCode: null,
  });
  const controller = new AbortController();
  const running = sh('echo up; sleep 600', { signal: controller.signal, onLine: () => controller.abort() });
  expect(await running).toMatchObject({ outcome: 'aborted', exitCode: null });
  expect(await sh('true', { signal: AbortSignal.abort() })).toMatchObject({ outcome: 'aborted' });
});

test('a program that is not there is an answer', async () => {
  const done = await runChild({ command: join(dir, 'nothing'), args: [], cwd: dir, env: {} });
  expect(done).toMatchObject({ outcome: 'not-started', exitCode: null, stderr: expect.stringContaining('ENOENT') });
});

test('a program that spins dies with a worker that is killed', async () => {
  const hooks = new URL('../../../../scripts/typescript.mjs', import.meta.url).href;
  const none = JSON.stringify({ kind: 'none' });
  const worker = fork(
    fileURLToPath(new URL('../testing/sandboxed-process.ts', import.meta.url)),
    [none, 'echo $$; while :; do :; done'],
    {
      execArgv: ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning', `--import=${hooks}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const [pid] = await once(worker, 'message');
  expect(existsSync(`/proc/${pid}/exe`)).toBe(true);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  while (existsSync(`/proc/${pid}/exe`)) await new Promise(setImmediate);
});
